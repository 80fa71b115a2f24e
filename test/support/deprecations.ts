// Fails the run for deprecated use of a package, such as two statements at once on one PostgreSQL connection. The
// driver warns of that once per process, and its next version refuses it.
process.on('warning', (warning) => {
  if (warning.name === 'DeprecationWarning') throw warning
})
