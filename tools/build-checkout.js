/**
 * What `npm ci` runs last: builds the server as a few files of JavaScript for `npm start`, where the bundler is installed
 * and Node reads TypeScript. Otherwise the server runs from its sources. Plain JavaScript, because Node may not. With
 * `--state`, a build that is there is kept for what is installed now.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, STATE_FILE, stateOfSources } from '../src/config/checkout-build.js'

async function build() {
  // Before the build: a file that is changed meanwhile makes the build outdated.
  const state = stateOfSources()
  const { buildServer } = await import('./build-server.ts')
  await buildServer({
    folder,
    entries: { main: 'src/cli/main.js', program: 'src/cli/program.ts', 'warm-cache': 'tools/warm-cache.ts' },
    includesPackages: true,
    // It loads a native library by its address.
    imports: ['@node-rs/bcrypt'],
    checkout: '../..',
  })
  spawnSync(process.execPath, [join(folder, 'warm-cache.js')], { stdio: 'inherit' })
  writeFileSync(join(folder, STATE_FILE), state)
}

if (process.argv.includes('--state')) {
  // Packages that the build does not need were removed; it is still the build of these sources.
  writeFileSync(join(folder, STATE_FILE), stateOfSources())
} else if (
  existsSync(new URL('../node_modules/rolldown/package.json', import.meta.url)) &&
  process.features.typescript
) {
  await build().catch((error) => console.error('The server was not built and starts from its sources.', error))
}
