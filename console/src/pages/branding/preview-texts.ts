/** What is said about the drawing of the sign-in page; the texts on it are those of the page itself. */
import type { Texts } from '../../texts/languages.ts'

const en = {
  label: 'Preview of the sign-in page',
  nothing: 'There is no way to sign in.',
}

type PreviewTexts = typeof en

const de: PreviewTexts = {
  label: 'Vorschau der Anmeldeseite',
  nothing: 'Es gibt keinen Weg, sich anzumelden.',
}

const fr: PreviewTexts = {
  label: 'Aperçu de la page de connexion',
  nothing: 'Il n’y a aucun moyen de se connecter.',
}

export const previewTexts: Texts<PreviewTexts> = { en, de, fr }
