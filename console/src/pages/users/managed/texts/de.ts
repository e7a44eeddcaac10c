/** The texts about what a directory manages, in German. */
import type { ManagedTexts } from './en.ts'

export const de: ManagedTexts = {
  user: 'Ein Verzeichnis verwaltet diesen Benutzer. Ändern Sie Namen, E-Mail-Adresse, Telefonnummer, Benutzernamen und Zustand im Verzeichnis.',
  group: 'Ein Verzeichnis verwaltet diese Gruppe. Ändern Sie ihren Namen und ihre Benutzer im Verzeichnis.',
  since: 'Seit',
  directory: 'Verzeichnis',
  detach: 'Lösen',
  detachHint: 'Alles bleibt, wie es ist. Die nächste Änderung durch das Verzeichnis verbindet es wieder.',
  detachDone: 'Vom Verzeichnis gelöst.',
}
