/**
 * Writes docs/reference/configuration.md from the tables in src/config; with `--check` it only says whether the page
 * is fresh, by its exit code.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { settings } from '../src/config/index.ts'

const page = new URL('../docs/reference/configuration.md', import.meta.url)

/** An area without a title does not compile: it would be missing on the page. */
const titles: Readonly<Record<keyof typeof settings, string>> = {
  address: 'Address',
  storage: 'Storage',
  process: 'Process',
  limits: 'Limits',
  monitoring: 'Monitoring',
  telemetry: 'OpenTelemetry',
  outbound: 'Outbound connections',
  webauthn: 'Passkeys',
  client: 'Commands that call a server',
}

const areas = (Object.keys(titles) as (keyof typeof titles)[]).map((area) => {
  const rows = Object.values(settings[area]).map((one) => `| \`${one.name}\` | ${one.defaultText} | ${one.meaning} |`)
  return [`## ${titles[area]}`, '', '| Variable | Default | Meaning |', '|---|---|---|', ...rows, ''].join('\n')
})

const text = `# Configuration

Signet is configured with environment variables. It reads them once, at startup. If a value is invalid, Signet prints
one line per variable and exits with code 2. It warns about unknown \`SIGNET_…\` variables. Secrets are never printed.
This page is generated from \`src/config\` by \`node tools/configuration-reference.ts\`. Do not edit it.

${areas.join('\n')}`

if (process.argv.includes('--check')) {
  if (readFileSync(page, 'utf8') !== text) {
    console.error('docs/reference/configuration.md is stale: run node tools/configuration-reference.ts')
    process.exitCode = 1
  }
} else {
  writeFileSync(page, text)
}
