/** `signet init`: the command of packages/create, which is published by itself, too. It reads its own flags. */
import type { Command } from 'commander'

export function addInitCommand(program: Command): void {
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
      const { run } = await import('../../packages/create/main.ts')
      process.exitCode = await run(words)
    })
}
