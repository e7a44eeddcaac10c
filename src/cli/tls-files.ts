/** Reads the certificate of the port and its key; what is wrong with them is said by the name of the setting. */
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import type { Config } from '../config/index.ts'
import type { PortOptions } from '../http/port/listener.ts'
import { meaningOf, SettingRefused } from './setting-refused.ts'

/** The certificate and its key, if there are any; rejects when they cannot be read, or do not belong together. */
export async function readTls({
  tlsCertFile,
  tlsKeyFile,
}: Pick<Config, 'tlsCertFile' | 'tlsKeyFile'>): Promise<PortOptions['tls']> {
  if (tlsCertFile === undefined || tlsKeyFile === undefined) return undefined
  // One after the other: if both are missing, the same one is named each time.
  const cert = await readPem('SIGNET_TLS_CERT_FILE', tlsCertFile)
  const key = await readPem('SIGNET_TLS_KEY_FILE', tlsKeyFile)
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    const { message } = error as Error
    throw new SettingRefused('SIGNET_TLS_CERT_FILE', `the certificate and its key cannot be used together: ${message}.`)
  }
  return { cert, key }
}

async function readPem(setting: 'SIGNET_TLS_CERT_FILE' | 'SIGNET_TLS_KEY_FILE', file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new SettingRefused(setting, `${file} ${meaningOf(error)}.`)
  }
}
