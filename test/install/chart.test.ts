/** The Helm chart agrees with the server: its version, and the settings that it sets. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

function read(file: string): string {
  return readFileSync(`${root}/${file}`, 'utf8')
}

suite('the Helm chart', () => {
  test('is of the version of the server', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string }
    assert.match(read('deploy/helm/Chart.yaml'), new RegExp(`^appVersion: ${version}$`, 'm'))
  })

  test('sets settings that exist', () => {
    const reference = read('docs/reference/configuration.md')
    const files = globSync('deploy/helm/{values.yaml,templates/*}', { cwd: root })
    const names = new Set(files.flatMap((file) => read(file).match(/\bSIGNET_\w+/g) ?? []))
    assert.ok(names.size > 5)
    for (const name of names) assert.ok(reference.includes(`| \`${name}\` |`), name)
  })
})
