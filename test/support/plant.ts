/**
 * Plants a fault into the server of this process: `node --import ./test/support/plant.ts`, with its name in the
 * environment. One place of one source file is read otherwise; no file is changed, and the server has no switch for it.
 */
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
import { FAULTS, type Fault, faultVariable } from './planted-faults.ts'

function plant(name: string, { file, from, to }: Fault): void {
  let isPlanted = false
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith(`/${file}`)) return loaded
      const source = String(loaded.source)
      if (source.split(from).length !== 2) throw new Error(`${file} has not one place for the fault: ${name}`)
      isPlanted = true
      return { ...loaded, source: source.replace(from, () => to) }
    },
  })
  process.on('exit', () => {
    if (!isPlanted) console.error(`${file} was never loaded: the fault was not planted: ${name}`)
  })
}

// Threads are started with the arguments of their process.
if (isMainThread) {
  const name = process.env[faultVariable] ?? ''
  const fault = (FAULTS as Readonly<Record<string, Fault>>)[name]
  if (fault === undefined) throw new Error(`there is no fault ${name}`)
  plant(name, fault)
}
