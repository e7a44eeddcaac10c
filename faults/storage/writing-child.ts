/**
 * A process made to be killed: clients write to a store on SQLite as fast as they can and say so on standard output,
 * `invoke <content>` before a write and `ok <content> <sequence>` after its acknowledgement.
 * Arguments: file, FULL or OFF, number of clients, and `late` or `early`: whether it acknowledges after or before the write.
 * It opens the file when it is sent a line.
 */
import { writeSync } from 'node:fs'
import { newId } from '../../src/kernel/id.ts'
import { openSqlite, openStore } from '../../src/store/index.ts'
import { boxes, by, crates } from '../../test/support/sample-kind.ts'

const [file = '', synchronous, clients, moment] = process.argv.slice(2)

/** Synchronously: what was said before the kill is in the pipe. A full pipe is waited for. */
function say(line: string): void {
  const bytes = Buffer.from(`${line}\n`)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

async function write(content: string, run: (content: string) => Promise<{ readonly sequence: number }>): Promise<void> {
  say(`invoke ${content}`)
  if (moment === 'early') say(`ok ${content} 0`)
  const { sequence } = await run(content)
  if (moment !== 'early') say(`ok ${content} ${sequence}`)
}

await new Promise((resolve) => process.stdin.once('data', resolve))
const engine = await openSqlite({ file, synchronous: synchronous === 'OFF' ? 'OFF' : 'FULL' })
const store = await openStore(engine, [boxes, crates])
say('ready')

async function runClient(): Promise<never> {
  for (;;) {
    const id = newId()
    await write(newId(), (content) =>
      store.write(by('child'), async (work) => {
        await work.decide(boxes, id, { type: 'pack', label: content }, 'org-1')
        await work.decide(crates, id, { type: 'pack', label: 'beside' }, 'org-1')
      }),
    )
    await write(newId(), (content) =>
      store.write(by('child'), (work) => work.decide(boxes, id, { type: 'label', label: content })),
    )
  }
}
await Promise.all(Array.from({ length: Number(clients) }, runClient))
