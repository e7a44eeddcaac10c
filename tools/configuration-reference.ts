/** docs/reference/configuration.md, from the tables in src/config. */
import { settings } from '../src/config/index.ts'
import { type GeneratedFile, markdownTable, writeGenerated } from './generated-file.ts'

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
  const rows = Object.values(settings[area]).map((one) => [`\`${one.name}\``, one.defaultText, one.meaning])
  return `## ${titles[area]}\n\n${markdownTable(['Variable', 'Default', 'Meaning'], rows)}`
})

const text = `# Configuration

Signet is configured with environment variables. It reads them once, at startup. If a value is invalid, Signet prints
one line per variable and exits with code 2. It warns about unknown \`SIGNET_…\` variables. Secrets are never printed.
This page is generated from \`src/config\` by \`npm run gen\`. Do not edit it.

${areas.join('\n')}`

export const page: GeneratedFile = { path: 'docs/reference/configuration.md', text }

if (import.meta.main) writeGenerated(page)
