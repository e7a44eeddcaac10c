/** Faults in the rules of authority that the searches must find. */

/** The variable that names the fault of a process. */
export const faultVariable = 'SIGNET_TEST_FAULT'

export interface Fault {
  readonly file: string
  /** A text that is there once, and what is read instead. */
  readonly from: string
  readonly to: string
  /** Whose attacks find it, and what they find. */
  readonly role: string
  readonly finds: RegExp
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  '`covers` that says yes': {
    file: 'src/access/roles.ts',
    from: 'return others.every((other) =>',
    to: 'return true || others.every((other) =>',
    role: 'ORG_USER_MANAGER',
    finds: /^ORG_USER_MANAGER by .* has /,
  },
  'a reach that is ignored': {
    file: 'src/access/paths.ts',
    from: 'return covers(grantsOf(reach, organizationId), grants)',
    to: 'return true',
    role: 'ORG_SETTINGS_MANAGER',
    finds: /^ORG_SETTINGS_MANAGER by .* has /,
  },
}
