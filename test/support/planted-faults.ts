/** Faults that the two machines must find: one place of one source file, which a process of its own reads otherwise. */

/** The variable that names the fault of a process. */
export const faultVariable = 'SIGNET_TEST_FAULT'

export interface Fault {
  readonly file: string
  /** A text that is there once, and what is read instead. */
  readonly from: string
  readonly to: string
}

export const FAULTS = {
  'a foreign group in a claim': {
    file: 'src/features/statements/told.ts',
    from: 'if (!isHome && !listener.isSelf) return []',
    to: '',
  },
  '`covers` that says yes': {
    file: 'src/access/roles.ts',
    from: 'return others.every((other) =>',
    to: 'return true || others.every((other) =>',
  },
  'a reach that is ignored': {
    file: 'src/access/paths.ts',
    from: 'return covers(grantsOf(reach, organizationId), grants)',
    to: 'return true',
  },
  'a share without owner': {
    file: 'src/kernel/share.ts',
    from: 'take(...owners) {',
    to: "take() { const owners: Owners = ['']",
  },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS

/** Faults that are planted around the methods and the database of a process, and the files that do it. */
const AROUND = {
  'an answer with a member of another tenant': 'test/noninterference/controls.test.ts',
  'another status': 'test/noninterference/controls.test.ts',
  'a write into another tenant': 'test/noninterference/controls.test.ts',
  'a stream that two kinds share': 'test/noninterference/later.test.ts',
} as const

/** All controls of the two machines, and where each of them is. */
export const CONTROLS: Readonly<Record<FaultName | keyof typeof AROUND, string>> = {
  ...AROUND,
  'a foreign group in a claim': 'test/noninterference/listeners.test.ts',
  '`covers` that says yes': 'test/escalation/controls.test.ts',
  'a reach that is ignored': 'test/escalation/controls.test.ts',
  'a share without owner': 'test/noninterference/shares.test.ts',
}
