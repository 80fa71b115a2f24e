// What a package will refuse in its next version fails the run now: two statements at once on one connection to PostgreSQL,
// for one, of which the driver warns once per process.
process.on('warning', (warning) => {
  if (warning.name === 'DeprecationWarning') throw warning
})
