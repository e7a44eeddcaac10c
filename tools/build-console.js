/**
 * `npm run build:console`, and with `--install` what `npm ci` runs: builds the console where Vite is installed. A plain
 * script, because it also runs with a Node that cannot read TypeScript.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const vite = fileURLToPath(new URL('../node_modules/vite/bin/vite.js', import.meta.url))
const isInstall = process.argv.includes('--install')

if (!existsSync(vite)) {
  // An installation without development tools runs without the console, or with one that was built elsewhere.
  if (!isInstall) {
    console.error('Vite is not installed: run npm ci first.')
    process.exitCode = 1
  }
} else {
  const { status } = spawnSync(process.execPath, [vite, 'build', 'console'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    console.error('The console was not built. The server runs without it; try npm run build:console.')
    process.exitCode = isInstall && process.env.CI === undefined ? 0 : 1
  }
}
