/** `signet doctor`: looks at everything that must be right before a start, changes nothing, and says it in plain lines. */
import type { Config } from '../../config/index.ts'
import {
  type Check,
  checkClock,
  checkDatabase,
  checkDataDir,
  checkNode,
  checkPort,
  checkSqlite,
  checkTls,
  type Finding,
} from './checks.ts'
import { checkDeliveries } from './deliveries.ts'
import { checkMasterKey } from './key.ts'

/** In the order in which a start would stumble over them. */
const checks: Readonly<Record<string, Check>> = {
  node: checkNode,
  sqlite: checkSqlite,
  'data folder': checkDataDir,
  'master key': checkMasterKey,
  database: checkDatabase,
  deliveries: checkDeliveries,
  tls: checkTls,
  clock: checkClock,
  port: checkPort,
}

/** Runs all checks; a check that throws is a finding too. Answers whether a start would succeed. */
export async function examine(config: Config, print: (line: string) => void): Promise<boolean> {
  let isWell = true
  for (const [name, check] of Object.entries(checks)) {
    const { verdict, text } = await runCheck(check, config)
    print(`${verdict.padEnd(6)} ${name}: ${text}`)
    if (verdict === 'wrong') isWell = false
  }
  return isWell
}

async function runCheck(check: Check, config: Config): Promise<Finding> {
  try {
    return await check(config)
  } catch (error) {
    return { verdict: 'wrong', text: error instanceof Error ? error.message : 'unknown error' }
  }
}
