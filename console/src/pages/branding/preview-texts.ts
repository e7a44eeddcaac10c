/** The texts on the drawing of the sign-in page. */
import type { Texts } from '../../texts/languages.ts'

const en = {
  label: 'Preview of the sign-in page',
  title: 'Sign in',
  username: 'Username',
  password: 'Password',
  signIn: 'Sign in',
  passkey: 'Sign in with a passkey',
  forgotten: 'Forgot your password?',
  register: 'Create an account',
  wrong: 'Username or password is wrong.',
  with: (name: string) => `Continue with ${name}`,
  nothing: 'There is no way to sign in.',
}

type PreviewTexts = typeof en

const de: PreviewTexts = {
  label: 'Vorschau der Anmeldeseite',
  title: 'Anmelden',
  username: 'Benutzername',
  password: 'Passwort',
  signIn: 'Anmelden',
  passkey: 'Mit Passkey anmelden',
  forgotten: 'Passwort vergessen?',
  register: 'Konto erstellen',
  wrong: 'Benutzername oder Passwort ist falsch.',
  with: (name) => `Weiter mit ${name}`,
  nothing: 'Es gibt keinen Weg, sich anzumelden.',
}

const fr: PreviewTexts = {
  label: 'Aperçu de la page de connexion',
  title: 'Se connecter',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe',
  signIn: 'Se connecter',
  passkey: 'Se connecter avec une clé d’accès',
  forgotten: 'Mot de passe oublié ?',
  register: 'Créer un compte',
  wrong: 'Le nom d’utilisateur ou le mot de passe est incorrect.',
  with: (name) => `Continuer avec ${name}`,
  nothing: 'Il n’y a aucun moyen de se connecter.',
}

export const previewTexts: Texts<PreviewTexts> = { en, de, fr }
