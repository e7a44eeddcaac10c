/** Where a running server is and with which token to call it, for the commands that are its clients. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { externalUrl } from '../config/external-url.ts'
import type { Config } from '../config/index.ts'
import { meaningOf } from './setting-refused.ts'

/** What stands on the command line. */
export interface TargetFlags {
  readonly url?: string
  readonly tokenFile?: string
}

export interface ServerTarget {
  /** The origin. */
  readonly url: string
  readonly token: string
}

/** Why the server cannot be called; a sentence for the operator. */
export class CannotCall extends Error {
  override readonly name = 'CannotCall'
}

async function readToken({ token, dataDir }: Config, tokenFile: string | undefined): Promise<string> {
  if (tokenFile === undefined && token !== undefined) return token.reveal()
  const file = tokenFile ?? join(dataDir, 'admin.pat')
  const content = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CannotCall(`${file} ${meaningOf(error)}. It must contain a personal access token.`)
  })
  const text = content.trim()
  if (text === '' || /\s/.test(text)) throw new CannotCall('The token file must contain exactly one token.')
  return text
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.origin
  throw new CannotCall('The server URL must start with http:// or https://.')
}

/** Whether tokens would cross a network in clear. */
export function isUnprotected(url: string): boolean {
  return url.startsWith('http:') && !/^(localhost|127\..*|\[::1\])$/.test(new URL(url).hostname)
}

/** The server and the token that the flags name, or those of the settings. */
export async function readTarget(config: Config, { url, tokenFile }: TargetFlags): Promise<ServerTarget> {
  const origin = readUrl(url ?? externalUrl(config, config.listen.port))
  return { url: origin, token: await readToken(config, tokenFile) }
}
