/** Writes docs/reference/frameworks.md from the list of frameworks: the lines, the settings and the files of each row. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  codeOf,
  FRAMEWORK_NAMES,
  FRAMEWORKS,
  type Framework,
  type FrameworkName,
  runLineOf,
  usualRedirectUri,
} from '../packages/create/frameworks/index.ts'
import { type GeneratedFile, writeGenerated } from './generated-file.ts'

const folder = fileURLToPath(new URL('../packages/create/frameworks/', import.meta.url))

const RUNS: Readonly<Record<Framework['runs'], string>> = {
  'in a browser': 'Our tests run these lines from an empty folder, and sign in and out in a browser.',
  'by calls': 'Our tests run this code and call it with tokens of all kinds.',
  'not yet': 'Our tests read this code, and do not run it yet.',
}

function fence(name: string, text: string): string {
  const ending = /\.(\w+)$/.exec(name)?.[1] ?? 'text'
  return `\`\`\`${{ yml: 'yaml', cs: 'csharp', py: 'python' }[ending] ?? ending}\n${text}\n\`\`\``
}

function fileText(row: FrameworkName, name: string): string {
  const code = codeOf(readFileSync(`${folder}${row}/files/${name}`, 'utf8'))
  return `**${name}**\n\n${fence(name, code)}`
}

function sectionOf(name: FrameworkName): string {
  const row = FRAMEWORKS[name]
  if (row.files.length === 0) return ''
  const commands = [...row.create, row.install, '# add the files and .env', runLineOf(row, usualRedirectUri(row))]
  const lines = commands.filter((line) => line !== '')
  const settings = Object.entries(row.settings).map(([key, value]) => `${key}=${value}`)
  return `## ${row.label}

${RUNS[row.runs]} ${row.callbackPath === '' ? '' : `Redirect URI: \`${usualRedirectUri(row)}\`.`}

${fence('x.shell', lines.join('\n'))}

**.env**

${fence('x.text', settings.join('\n'))}

${row.files.map((file) => fileText(name, file)).join('\n\n')}
`
}

const TEXT = `# Get started with your framework

This page is generated from [packages/create/frameworks](../../packages/create/frameworks) by \`npm run gen\`. Do not edit it.

[Register the app](../guides/protect-a-web-app.md) first: **Protect an app** in the console, or \`signet init\`, also fills in the settings. What stands in
braces comes from there; \`{random}\` is 32 random bytes in base64url.

${FRAMEWORK_NAMES.map(sectionOf)
  .filter((text) => text !== '')
  .join('\n')}`

export const page: GeneratedFile = { path: 'docs/reference/frameworks.md', text: TEXT }

if (import.meta.main) writeGenerated(page)
