/** The texts of the page on which the texts of the hosted pages are changed. */
import type { Texts } from '../../../texts/index.tsx'

const en = {
  title: 'Page texts',
  language: 'Language',
  area: 'Pages',
  areas: {
    signIn: 'Sign-in',
    accounts: 'Choose or confirm an account',
    secondFactor: 'Two-step verification',
    registration: 'Registration',
    password: 'Passwords',
    invitation: 'Invitation and email address',
    passkey: 'Passkeys',
    consent: 'Consent',
    signedOut: 'Signed out and start page',
  },
  parts: { heading: 'Heading', text: 'Text', label: 'Field', button: 'Button' },
  hint: 'Leave a field empty to use the text that it shows. Changes appear as soon as you save them.',
  keep: (places: string) => `Keep ${places}`,
  preview: 'Preview',
  previewHint: 'The pages with your current entries, even if they aren’t saved.',
  reset: 'Reset all texts',
  resetQuestion: 'Reset all texts in this language?',
  resetConsequence: 'The texts of all pages in this language are removed here. The usual texts apply again.',
  resetDone: 'Texts reset.',
}

type PageTextsTexts = typeof en

const de: PageTextsTexts = {
  title: 'Texte der Seiten',
  language: 'Sprache',
  area: 'Seiten',
  areas: {
    signIn: 'Anmeldung',
    accounts: 'Konto wählen oder bestätigen',
    secondFactor: 'Bestätigung in zwei Schritten',
    registration: 'Registrierung',
    password: 'Passwörter',
    invitation: 'Einladung und E-Mail-Adresse',
    passkey: 'Passkeys',
    consent: 'Zustimmung',
    signedOut: 'Abgemeldet und Startseite',
  },
  parts: { heading: 'Überschrift', text: 'Text', label: 'Feld', button: 'Schaltfläche' },
  hint: 'Lassen Sie ein Feld leer, um den Text zu verwenden, den es zeigt. Änderungen erscheinen, sobald Sie sie speichern.',
  keep: (places) => `Muss ${places} enthalten`,
  preview: 'Vorschau',
  previewHint: 'Die Seiten mit Ihren Eingaben, auch wenn sie noch nicht gespeichert sind.',
  reset: 'Alle Texte zurücksetzen',
  resetQuestion: 'Alle Texte in dieser Sprache zurücksetzen?',
  resetConsequence:
    'Die Texte aller Seiten in dieser Sprache werden hier entfernt. Es gelten wieder die üblichen Texte.',
  resetDone: 'Die Texte wurden zurückgesetzt.',
}

const fr: PageTextsTexts = {
  title: 'Textes des pages',
  language: 'Langue',
  area: 'Pages',
  areas: {
    signIn: 'Connexion',
    accounts: 'Choisir ou confirmer un compte',
    secondFactor: 'Vérification en deux étapes',
    registration: 'Inscription',
    password: 'Mots de passe',
    invitation: 'Invitation et adresse e-mail',
    passkey: 'Clés d’accès',
    consent: 'Consentement',
    signedOut: 'Déconnexion et page d’accueil',
  },
  parts: { heading: 'Titre', text: 'Texte', label: 'Champ', button: 'Bouton' },
  hint: 'Laissez un champ vide pour utiliser le texte qu’il affiche. Les modifications apparaissent dès que vous les enregistrez.',
  keep: (places) => `Doit contenir ${places}`,
  preview: 'Aperçu',
  previewHint: 'Les pages avec vos saisies, même si elles ne sont pas encore enregistrées.',
  reset: 'Réinitialiser tous les textes',
  resetQuestion: 'Réinitialiser tous les textes dans cette langue ?',
  resetConsequence:
    'Les textes de toutes les pages dans cette langue sont supprimés ici. Les textes habituels s’appliquent de nouveau.',
  resetDone: 'Les textes ont été réinitialisés.',
}

export const pageTextsTexts: Texts<PageTextsTexts> = { en, de, fr }
