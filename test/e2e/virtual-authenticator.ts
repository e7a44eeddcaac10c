/** An authenticator that Chromium plays itself (WebAuthn Level 3 §11): a phone with a finger on it, or a key in a drawer. */
import type { CDPSession, Page } from 'playwright-core'

export interface VirtualAuthenticator {
  /** Ids of the credentials that it holds. */
  credentials(): Promise<readonly string[]>
  /** Whether somebody touches it when it is asked. */
  touch(isTouched: boolean): Promise<void>
  remove(): Promise<void>
}

/** Puts an authenticator into the hands of whoever uses this window. */
export async function giveAuthenticator(page: Page, kind: 'phone' | 'key' = 'phone'): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const isPhone = kind === 'phone'
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: isPhone ? 'internal' : 'usb',
      hasResidentKey: isPhone,
      hasUserVerification: isPhone,
      isUserVerified: isPhone,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async credentials() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials.map(({ credentialId }) => credentialId)
    },
    async touch(enabled) {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    async remove() {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
