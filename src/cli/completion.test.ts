import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite, test } from 'node:test'
import type { Command } from 'commander'
import { completionScript, SHELLS } from './completion.ts'
import { createProgram } from './program.ts'

function commandsBelow(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .flatMap((one) => [one, ...commandsBelow(one)])
}

/** What bash offers after the words, of which the last may be incomplete. */
function complete(...words: readonly string[]): readonly string[] {
  const line = ['signet', ...words].map((word) => `'${word}'`).join(' ')
  const script = `${completionScript(createProgram(), 'bash')}
    COMP_WORDS=(${line}) COMP_CWORD=${words.length}; _signet; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stderr, '')
  return stdout.split('\n').filter((line) => line !== '')
}

suite('shell completion', () => {
  for (const shell of SHELLS) {
    test(`every command and option that people use is in the script for ${shell}`, () => {
      const program = createProgram()
      const script = completionScript(program, shell)
      const commands = commandsBelow(program)
      assert.ok(commands.length > 10)
      for (const command of commands) {
        assert.match(script, new RegExp(`\\b${command.name()}\\b`))
        for (const { long = '', hidden } of command.options) {
          if (hidden) continue
          const word = shell === 'fish' ? `-l ${long.slice(2)}` : long
          assert.ok(script.includes(word), `${command.name()} ${long}`)
        }
      }
    })
  }

  const skip = spawnSync('bash', ['-c', 'type compgen']).status === 0 ? false : 'bash with completion is not installed'

  test('bash reads the script and completes commands, their commands, options and values', { skip }, () => {
    assert.deepEqual(complete('st'), ['start', 'stop'])
    assert.deepEqual(complete('admin', ''), ['recover', '--help'])
    assert.deepEqual(complete('admin', 'recover', '--u'), ['--user'])
    assert.deepEqual(complete('import', 'people.ndjson', '--res'), ['--resume'])
    assert.deepEqual(complete('completion', 'z'), ['zsh'])
    assert.deepEqual(complete('nothing-like-it'), [])
  })
})
