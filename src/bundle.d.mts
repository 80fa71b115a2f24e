// What `bundle.mjs` gives to the tests.
export declare const FOR_NODE: {
  platform: 'node'
  format: 'esm'
  target: string
  bundle: true
  logLevel: 'error'
  banner: { js: string }
}
export declare function bundleProgram(outdir: string, place?: string): Promise<void>
