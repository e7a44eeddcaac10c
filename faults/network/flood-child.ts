/**
 * Attacks a port from a process of its own, so that the honest client beside it is not slowed down by it. Arguments: the port,
 * and how many times each flood is repeated. Prints how many attackers there were and which were not cut off, as one
 * line of JSON.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { meet2 } from '../../test/faults/raw-http2.ts'
import { floods } from './floods.ts'

const [port, repetitions] = process.argv.slice(2).map(Number)
const PATIENCE_MS = 90_000

let attacks = 0
const left: string[] = []
for (let repetition = 0; repetition < (repetitions ?? 1); repetition++) {
  for (const [name, attack] of Object.entries(floods)) {
    const peer = meet2(port ?? 0)
    await attack(peer)
    attacks++
    await Promise.race([peer.closed, sleep(PATIENCE_MS)])
    if (!peer.isClosed) left.push(name)
    peer.socket.destroy()
  }
}
console.log(JSON.stringify({ attacks, left }))
process.exit(0)
