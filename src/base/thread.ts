// A worker thread from a file of the program, built or not.
import { extname } from 'node:path'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * Opens the thread of the file with this name beside `caller`, which has no extension. Node cannot run TypeScript by
 * itself, so a thread that runs from sources registers tsx first.
 */
export function openThread(caller: string, name: string, options: WorkerOptions): Worker {
  const extension = extname(caller)
  const start = `import(${JSON.stringify(new URL(`./${name}${extension}`, caller).href)})`
  if (extension !== '.ts') return new Worker(start, { eval: true, ...options })
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'))
  return new Worker(`import(${loader}).then(({ register }) => (register(), ${start}))`, { eval: true, ...options })
}
