/** What the server tells the console before the sign-in. */

export interface Environment {
  /** The public address of the server, which is its OpenID issuer. */
  readonly issuer: string
  readonly clientId: string
  readonly version: string
}

let loaded: Environment | undefined

/** Asks the server, once at the start. */
export async function loadEnvironment(): Promise<Environment> {
  const answer = await fetch(`${import.meta.env.BASE_URL}environment.json`, { cache: 'no-store' })
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`)
  loaded = (await answer.json()) as Environment
  return loaded
}

/** What the server told; only after `loadEnvironment`. */
export function environment(): Environment {
  if (loaded === undefined) throw new Error('The environment is not loaded yet.')
  return loaded
}
