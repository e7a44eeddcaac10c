/** Where users go after they confirmed a logout that an application started. The address is signed: others are not followed. */
import type { App } from '../../module/app.ts'

const PURPOSE = ['logout'] as const

/** Signs an address that an application has registered. */
export function signLogoutTarget({ vault }: App, url: string): Promise<string> {
  return vault.sign(PURPOSE, url)
}

/** The address that was signed; undefined when it was not. */
export async function readLogoutTarget({ vault }: App, signed: string | null): Promise<string | undefined> {
  return signed === null || signed === '' ? undefined : vault.readSigned(PURPOSE, signed)
}
