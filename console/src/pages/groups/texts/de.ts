/** The texts of groups, in German. */
import type { GroupTexts } from './en.ts'

export const de: GroupTexts = {
  title: 'Gruppen',
  hint: 'Benutzer einer Organisation, die gemeinsam Rollen von Projekten erhalten.',
  name: 'Name',
  nameHint: 'Muss in der Organisation eindeutig sein.',
  description: 'Beschreibung',
  id: 'ID der Gruppe',
  created: 'Erstellt',
  changed: 'Geändert',
  create: 'Gruppe erstellen',
  createDone: 'Die Gruppe wurde erstellt.',
  empty: 'Noch keine Gruppen.',
  tabs: { users: 'Benutzer', roles: 'Rollen', settings: 'Einstellungen', danger: 'Löschen' },
  users: {
    hint: 'Benutzer haben die Rollen der Gruppe, solange sie in ihr sind.',
    user: 'Benutzer',
    joined: 'Beigetreten',
    actions: 'Aktionen',
    add: 'Benutzer hinzufügen',
    addDone: 'Der Benutzer wurde der Gruppe hinzugefügt.',
    addHint: 'Nur Benutzer der Organisation der Gruppe können hinzugefügt werden.',
    remove: 'Entfernen',
    removeDone: 'Der Benutzer wurde aus der Gruppe entfernt.',
    removeHint: 'Der Benutzer verliert die Rollen der Gruppe sofort.',
    empty: 'Noch keine Benutzer in dieser Gruppe.',
  },
  danger: {
    remove: 'Löschen',
    removeHint: 'Löscht die Gruppe endgültig. Ihre Benutzer verlieren die Rollen, die sie durch die Gruppe haben.',
    removeDone: 'Die Gruppe wurde gelöscht.',
  },
}
