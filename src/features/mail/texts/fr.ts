/** What mails say in French. */
import type { LanguageTexts } from '../message-types.ts'

export const french: LanguageTexts = {
  labels: {
    code: 'Votre code',
    link: 'Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur :',
    validFor: (duration) => `Durée de validité : ${duration}.`,
  },
  messages: {
    verify_email: {
      subject: 'Confirmez votre adresse e-mail',
      title: 'Confirmez votre adresse e-mail',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Veuillez confirmer que cette adresse e-mail vous appartient. Un clic suffit.',
      buttonText: 'Confirmer l’adresse',
      footer: 'Si vous n’attendiez pas ce message, vous pouvez l’ignorer : rien ne se passe sans votre confirmation.',
    },
    password_reset: {
      subject: 'Choisissez un nouveau mot de passe',
      title: 'Choisissez un nouveau mot de passe',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe pour votre compte {{.UserName}}.',
      buttonText: 'Choisir le mot de passe',
      footer:
        'Si ce n’était pas vous, vous pouvez ignorer ce message : votre mot de passe reste inchangé. Ne transférez pas ce message.',
    },
    invitation: {
      subject: 'Invitation à rejoindre {{.ApplicationName}}',
      title: 'Bienvenue',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Un compte {{.ApplicationName}} a été créé pour vous. Acceptez l’invitation et choisissez comment vous souhaitez vous connecter.',
      buttonText: 'Accepter l’invitation',
      footer: 'Si vous ne savez pas de quoi il s’agit, vous pouvez ignorer ce message. Ne le transférez pas.',
    },
    passkey_link: {
      subject: 'Ajoutez une clé d’accès',
      title: 'Ajoutez une clé d’accès',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Ouvrez le lien sur l’appareil avec lequel vous souhaitez désormais vous connecter, puis ajoutez une clé d’accès à votre compte.',
      buttonText: 'Ajouter la clé d’accès',
      footer: 'Si vous n’avez rien demandé, ignorez ce message et prévenez votre administrateur. Ne le transférez pas.',
    },
    one_time_code: {
      subject: 'Votre code de connexion',
      title: 'Votre code de connexion',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Utilisez ce code pour terminer votre connexion.',
      buttonText: 'Se connecter',
      footer:
        'Personne de notre côté ne vous demandera jamais ce code. Si vous n’êtes pas en train de vous connecter, changez votre mot de passe.',
    },
    password_changed: {
      subject: 'Votre mot de passe a été modifié',
      title: 'Votre mot de passe a été modifié',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Le mot de passe de votre compte {{.UserName}} a été modifié.',
      buttonText: 'Se connecter',
      footer:
        'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe et prévenez votre administrateur.',
    },
  },
}
