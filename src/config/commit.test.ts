import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readCheckedOutCommit, readCommit } from './commit.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'signet-commit-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

suite('the commit of a checkout', () => {
  test('is that of the branch', (t) => {
    const folder = folderWith(t, { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${COMMIT}\n` })
    assert.equal(readCheckedOutCommit(folder), COMMIT)
  })

  test('is found when Git has packed the branch', (t) => {
    const folder = folderWith(t, {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/packed-refs': `# pack-refs with: peeled\n${'f'.repeat(40)} refs/heads/other-main\n${COMMIT} refs/heads/main\n`,
    })
    assert.equal(readCheckedOutCommit(folder), COMMIT)
  })

  test('is found without a branch', (t) => {
    assert.equal(readCheckedOutCommit(folderWith(t, { '.git/HEAD': `${COMMIT}\n` })), COMMIT)
  })

  test('is that of the worktree', (t) => {
    const folder = folderWith(t, {
      'repository/.git/worktrees/second/HEAD': 'ref: refs/heads/second\n',
      'repository/.git/worktrees/second/commondir': '../..\n',
      'repository/.git/refs/heads/second': `${COMMIT}\n`,
      'second/.git': 'gitdir: ../repository/.git/worktrees/second\n',
    })
    assert.equal(readCheckedOutCommit(join(folder, 'second')), COMMIT)
  })

  test('is that of the package in which a build lies, as in an image without Git', (t) => {
    const folder = folderWith(t, {
      'package.json': JSON.stringify({ commit: COMMIT }),
      'dist/checkout/package.json': JSON.stringify({ checkout: '../..' }),
    })
    assert.equal(readCommit(join(folder, 'dist/checkout')), COMMIT)
  })

  test('is unknown in a folder that is no checkout', (t) => {
    assert.equal(readCheckedOutCommit(folderWith(t, {})), undefined)
  })
})

test('signet --version shows the version and the commit', (t) => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) return t.skip('This is no checkout of Git.')
  const shown = spawnSync(process.execPath, ['src/main.js', '--version'], { cwd: root, encoding: 'utf8' }).stdout
  assert.match(shown, new RegExp(`^\\d+\\.\\d+\\.\\d+ \\(${stdout.slice(0, 12)}\\)\\n$`))
})
