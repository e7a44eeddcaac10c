import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

/** Says at the end whether Node has loaded what strips types. */
const watch =
  'process.on("exit", () => console.log("compiler", process.moduleLoadList.some((one) => one.includes("amaro"))))'

function askVersion(): string {
  const words = ['--import', `data:text/javascript,${encodeURIComponent(watch)}`, main, '--version']
  return spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: process.env.PATH } }).stdout
}

test('what an earlier start has compiled is not compiled again', () => {
  askVersion()
  assert.match(askVersion(), /^\d+\.\d+\.\d+( \([0-9a-f]{12}\))?\ncompiler false\n$/)
})
