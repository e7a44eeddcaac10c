/** The texts of what is done with several users at once. */
import type { Texts } from '../../../texts/index.tsx'

const users = (count: number) => (count === 1 ? '1 user' : `${count} users`)

const en = {
  selected: (count: number) => `${users(count)} selected`,
  question: {
    lock: (count: number) => `Lock ${users(count)}?`,
    deactivate: (count: number) => `Deactivate ${users(count)}?`,
    remove: (count: number) => `Remove ${users(count)}?`,
  },
  removeHint: 'Permanently deletes these users and all their data.',
  running: 'Working…',
  finished: 'Done',
  progress: (done: number, total: number) => `${done} of ${total}`,
  result: {
    lock: (count: number) => `${users(count)} locked.`,
    deactivate: (count: number) => `${users(count)} deactivated.`,
    remove: (count: number) => `${users(count)} removed.`,
  },
  failed: (count: number) => (count === 1 ? '1 user was not changed' : `${count} users were not changed`),
}

type BulkTexts = typeof en

const benutzer = (count: number) => `${count} Benutzer`

const de: BulkTexts = {
  selected: (count) => `${benutzer(count)} ausgewählt`,
  question: {
    lock: (count) => `${benutzer(count)} sperren?`,
    deactivate: (count) => `${benutzer(count)} deaktivieren?`,
    remove: (count) => `${benutzer(count)} entfernen?`,
  },
  removeHint: 'Löscht diese Benutzer und alle ihre Daten endgültig.',
  running: 'In Arbeit …',
  finished: 'Fertig',
  progress: (done, total) => `${done} von ${total}`,
  result: {
    lock: (count) => `${benutzer(count)} gesperrt.`,
    deactivate: (count) => `${benutzer(count)} deaktiviert.`,
    remove: (count) => `${benutzer(count)} entfernt.`,
  },
  failed: (count) => (count === 1 ? '1 Benutzer wurde nicht geändert' : `${count} Benutzer wurden nicht geändert`),
}

const utilisateurs = (count: number) => (count < 2 ? `${count} utilisateur` : `${count} utilisateurs`)
const s = (count: number) => (count < 2 ? '' : 's')

const fr: BulkTexts = {
  selected: (count) => `${utilisateurs(count)} sélectionné${s(count)}`,
  question: {
    lock: (count) => `Verrouiller ${utilisateurs(count)} ?`,
    deactivate: (count) => `Désactiver ${utilisateurs(count)} ?`,
    remove: (count) => `Supprimer ${utilisateurs(count)} ?`,
  },
  removeHint: 'Supprime définitivement ces utilisateurs et toutes leurs données.',
  running: 'En cours…',
  finished: 'Terminé',
  progress: (done, total) => `${done} sur ${total}`,
  result: {
    lock: (count) => `${utilisateurs(count)} verrouillé${s(count)}.`,
    deactivate: (count) => `${utilisateurs(count)} désactivé${s(count)}.`,
    remove: (count) => `${utilisateurs(count)} supprimé${s(count)}.`,
  },
  failed: (count) =>
    count === 1 ? '1 utilisateur n’a pas été modifié' : `${count} utilisateurs n’ont pas été modifiés`,
}

export const bulkTexts: Texts<BulkTexts> = { en, de, fr }
