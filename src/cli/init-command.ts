/** `signet init`: the command of packages/create, which is published by itself, too. It reads its own flags. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { FAILED } from '../config/exit-codes.ts'

interface Voice {
  say(line: string): void
  complain(line: string): void
}

export function addInitCommand(program: Command, { say, complain }: Voice): void {
  program
    .command('init')
    .description(
      'register the app in this folder, and write its settings and the code to sign in (--help: its options)',
    )
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .argument('[options...]')
    .action(async (words: readonly string[]) => {
      const [{ run }, local] = await Promise.all([import('../../packages/create/main.ts'), import('./local-server.ts')])
      process.exitCode = await run(words, { start: local.startLocalServer, forget: local.forgetLocalServer })
    })
  program
    .command('stop')
    .description('stop the server that `signet init --start` started for this folder; its data stays')
    .option('--dir <folder>', 'folder of the project', '.')
    .action(async ({ dir }: { readonly dir: string }) => {
      const { LocalServerFailed, stopLocalServer } = await import('./local-server.ts')
      try {
        const was = await stopLocalServer(resolve(dir))
        say(was ? 'Stopped. Its data is kept in .signet.' : `No server of ${resolve(dir)} is running.`)
        if (!was) process.exitCode = FAILED
      } catch (error) {
        if (!(error instanceof LocalServerFailed)) throw error
        complain(error.message)
        process.exitCode = FAILED
      }
    })
}
