/** What tests of an app are given. */

export interface StartOptions {
  /** The command that is `signet`, in words; `['signet']` if it is installed. */
  readonly command?: readonly string[]
  /** Where the clock starts: a time in the past, for tokens that have expired. */
  readonly clock?: string
}

export interface GivenUser {
  readonly email?: string
  readonly givenName?: string
  readonly familyName?: string
}

export interface TestUser {
  readonly userId: string
  readonly email: string
  readonly password: string
}

export interface GivenApp {
  readonly redirectUri?: string
  /** The addresses of its APIs. */
  readonly resources?: readonly string[]
}

export interface TestApp {
  readonly clientId: string
  readonly clientSecret: string
  readonly projectId: string
  readonly redirectUri: string
}

export interface Tokens {
  readonly access_token: string
  readonly id_token: string
  readonly expires_in: number
}

export interface Mail {
  readonly id: string
  readonly subject: string
  readonly text: string
}

/** The part of a page of Playwright that `signIn` uses. */
export interface BrowserPage {
  getByLabel(label: string): { fill(text: string): Promise<void> }
  getByRole(role: 'button', options: { name: string; exact: boolean }): { click(): Promise<void> }
}
