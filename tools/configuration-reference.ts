/**
 * Writes docs/reference/configuration.md from the tables in src/config; with `--check` it only says whether the page
 * is fresh, by its exit code.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { settings } from '../src/config/index.ts'

const page = new URL('../docs/reference/configuration.md', import.meta.url)

const titles = {
  address: 'Address',
  storage: 'Storage',
  process: 'Process',
  limits: 'Limits',
  outbound: 'Calls to elsewhere',
  client: 'Commands that call a server',
} as const

const areas = (Object.keys(titles) as (keyof typeof titles)[]).map((area) => {
  const rows = Object.values(settings[area]).map((one) => `| \`${one.name}\` | ${one.defaultText} | ${one.meaning} |`)
  return [`## ${titles[area]}`, '', '| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
})

const text = `# Configuration

Signet is configured by environment variables, read once at start. A wrong value stops the start with exit code 2 and
one line for each variable; an unknown \`SIGNET_…\` variable is warned about. Secrets are never printed.
Written by \`node tools/configuration-reference.ts\` from \`src/config\`: do not edit.

${areas.join('\n')}`

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/reference/configuration.md is stale: run node tools/configuration-reference.ts')
    process.exitCode = 1
  }
} else {
  writeFileSync(page, text)
}
