/**
 * The sections of settings, and which of them are paths: users sign in by them, or are kept out. A path counts for users
 * within the reach of whoever changed it last.
 */
import type { Reach } from '../../access/paths.ts'

/** What a section says of itself; `setBy` are the commands that set a path. A reset takes it away, with its reach. */
export type Declaration<Command extends string = string> =
  | { readonly path: false }
  | { readonly path: true; readonly setBy: readonly Command[] }

/** `decider.ts` does not compile while one is missing here. */
export const SECTIONS = {
  login: { path: true, setBy: ['set', 'allow_factor', 'forbid_factor'] },
  /** Which identity providers users can choose. */
  providers: { path: true, setBy: ['offer_provider', 'withhold_provider'] },
  lockout: { path: true, setBy: ['set'] },
  passwordComplexity: { path: true, setBy: ['set'] },
  passwordExpiry: { path: true, setBy: ['set'] },
  /** Who is told that their password was changed. */
  notifications: { path: true, setBy: ['set'] },
  /** Mails with codes have it. */
  branding: { path: true, setBy: ['activate_branding'] },
  brandingDraft: { path: false },
  legal: { path: false },
  organization: { path: false },
  // Only the instance has these: its paths are for everybody.
  defaultLanguage: { path: false },
  allowedLanguages: { path: false },
  generators: { path: false },
  security: { path: false },
  oidc: { path: false },
  features: { path: false },
} as const satisfies Readonly<Record<string, Declaration>>

type Sections = typeof SECTIONS

/** A section that is a path. */
export type PathSection = {
  [Name in keyof Sections]: Sections[Name]['path'] extends true ? Name : never
}[keyof Sections]

/** How far those reach who changed the sections last; a section without: as far as an owner. */
export type SectionReach = Readonly<Partial<Record<PathSection, Reach>>>

const PATHS = Object.entries<Declaration>(SECTIONS).flatMap(([name, one]) =>
  one.path ? [{ section: name as PathSection, setBy: one.setBy }] : [],
)

/** The paths that an owner has set. */
export function pathsOf(state: Readonly<Partial<Record<PathSection, unknown>>>): readonly PathSection[] {
  return PATHS.flatMap(({ section }) => (state[section] === undefined ? [] : [section]))
}

/** The path that a command sets, which names a plain section; undefined when it sets none. */
export function pathSetBy(command: string, plain?: string): PathSection | undefined {
  return PATHS.find(({ section, setBy }) => setBy.includes(command) && (plain === undefined || plain === section))
    ?.section
}
