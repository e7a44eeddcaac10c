/** Gains that are meant: each has the number of the decision that says why. */

/** A permission that a role has after its steps and did not have before. */
export interface Gain {
  readonly role: string
  /** How the attacker got the token. */
  readonly way: string
  readonly power: string
}

export interface Meant {
  /** A page of docs/decisions. */
  readonly decision: string
  readonly why: string
  readonly roles: RegExp
  readonly powers: RegExp
}

export const MEANT: readonly Meant[] = [
  {
    decision: '0119',
    why: 'who creates a project is its owner',
    roles: /^ORG_PROJECT_CREATOR$/,
    powers: /^(project|user\.grant)[.\w]*:new in home$/,
  },
]

export function isMeantBy({ roles, powers }: Meant, { role, power }: Gain): boolean {
  return roles.test(role) && powers.test(power)
}
