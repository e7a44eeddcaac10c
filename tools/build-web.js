/**
 * `npm run build:console` and `npm run build:docs`, and with `--install` what `npm ci` runs: builds what browsers load,
 * where the tools for it are installed. A plain script, because it also runs with a Node that cannot read TypeScript.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const BUILDS = [
  { name: 'console', title: 'The console', tool: 'node_modules/vite/bin/vite.js' },
  { name: 'docs', title: 'The documentation', tool: 'node_modules/vitepress/bin/vitepress.js' },
]

const isInstall = process.argv.includes('--install')
const chosen = BUILDS.filter(({ name }) => isInstall || process.argv.includes(name))

for (const { name, title, tool } of chosen) {
  if (!existsSync(root + tool)) {
    // An installation without development tools runs without it, or with one that was built elsewhere.
    if (isInstall) continue
    console.error(`${tool} is not installed: run npm ci first.`)
    process.exitCode = 1
    continue
  }
  const { status } = spawnSync(process.execPath, [root + tool, 'build', name], { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    console.error(`${title} was not built. The server runs without it; try npm run build:${name}.`)
    if (!isInstall || process.env.CI !== undefined) process.exitCode = 1
  }
}
