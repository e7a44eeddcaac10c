/** `signet`, as npm installs it: runs the executable file of this platform, which is in a package of its own. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const manifest = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))
const platform = `${process.platform}-${process.arch}`

function findExecutable(): string {
  const names = Object.keys(manifest.optionalDependencies)
  const name = names.find((one) => one.endsWith(`-${platform}`))
  if (name === undefined) {
    const all = names.map((one) => one.split('-').slice(-2).join('-')).join(', ')
    throw new Error(`There is no executable for ${platform}. There are executables for ${all}.`)
  }
  try {
    return createRequire(import.meta.url).resolve(`${name}/signet`)
  } catch {
    throw new Error(`${name} is not installed. Install ${manifest.name} again, without --omit=optional.`)
  }
}

/** For a Node that cannot become another program: waits for it, and passes on what it is told. */
function runAsChild(file: string, words: readonly string[]): void {
  const child = spawn(file, words, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => child.kill(signal))
  child.on('error', ({ message }) => {
    console.error(`signet: ${message}`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (code !== null) process.exit(code)
    for (const one of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const) process.removeAllListeners(one)
    process.kill(process.pid, signal ?? 'SIGKILL')
  })
}

try {
  const file = findExecutable()
  const words = process.argv.slice(2)
  // The process becomes the server: signals, pipes and parents are its own, and no memory is taken twice.
  if (typeof process.execve === 'function') process.execve(file, [file, ...words], process.env)
  runAsChild(file, words)
} catch (error) {
  console.error(`signet: ${(error as Error).message}`)
  process.exitCode = 1
}
