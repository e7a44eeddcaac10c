/** The built-in texts of emails in French. The space before a colon is non-breaking (U+00A0). */
import type { LanguageTexts } from '../message-types.ts'

export const french: LanguageTexts = {
  labels: {
    code: 'Votre code',
    link: 'Si le bouton ne fonctionne pas, copiez ce lien dans votre navigateur :',
    validFor: (duration) => `Valable ${duration}.`,
  },
  messages: {
    verify_email: {
      subject: 'Confirmez votre adresse e-mail',
      title: 'Confirmez votre adresse e-mail',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Veuillez confirmer que cette adresse e-mail vous appartient.',
      buttonText: 'Confirmer l’adresse e-mail',
      footer: 'Si vous n’attendiez pas cet e-mail, vous pouvez l’ignorer.',
    },
    password_reset: {
      subject: 'Réinitialisez votre mot de passe',
      title: 'Réinitialisez votre mot de passe',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Nous avons reçu une demande de réinitialisation du mot de passe de votre compte {{.UserName}}.',
      buttonText: 'Réinitialiser le mot de passe',
      footer:
        'Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer cet e-mail. Votre mot de passe reste inchangé. Ne transférez pas cet e-mail.',
    },
    invitation: {
      subject: 'Invitation à rejoindre {{.ApplicationName}}',
      title: 'Bienvenue',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Un compte {{.ApplicationName}} a été créé pour vous. Acceptez l’invitation et choisissez comment vous souhaitez vous connecter.',
      buttonText: 'Accepter l’invitation',
      footer: 'Si vous n’attendiez pas cette invitation, vous pouvez ignorer cet e-mail. Ne le transférez pas.',
    },
    passkey_link: {
      subject: 'Ajoutez une clé d’accès',
      title: 'Ajoutez une clé d’accès',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Ouvrez ce lien sur l’appareil avec lequel vous souhaitez vous connecter, puis ajoutez une clé d’accès à votre compte.',
      buttonText: 'Ajouter une clé d’accès',
      footer:
        'Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail et prévenez votre administrateur. Ne le transférez pas.',
    },
    one_time_code: {
      subject: 'Votre code de vérification',
      title: 'Votre code de vérification',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Utilisez ce code pour terminer votre connexion.',
      buttonText: 'Se connecter',
      footer:
        'Ne communiquez ce code à personne. Si vous n’êtes pas en train de vous connecter, modifiez votre mot de passe.',
    },
    password_changed: {
      subject: 'Votre mot de passe a été modifié',
      title: 'Votre mot de passe a été modifié',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Le mot de passe de votre compte {{.UserName}} a été modifié.',
      buttonText: 'Se connecter',
      footer:
        'Si vous n’êtes pas à l’origine de cette modification, réinitialisez immédiatement votre mot de passe et prévenez votre administrateur.',
    },
    sign_in_locked: {
      subject: 'Votre connexion est temporairement bloquée',
      title: 'Votre connexion est temporairement bloquée',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Trop de tentatives de connexion à votre compte {{.UserName}} ont échoué. La connexion est donc bloquée pendant un certain temps. Vous pouvez toujours utiliser une clé d’accès ou réinitialiser votre mot de passe.',
      buttonText: 'Se connecter',
      footer:
        'Si vous n’êtes pas à l’origine de ces tentatives, choisissez un mot de passe que vous n’utilisez nulle part ailleurs et prévenez votre administrateur.',
    },
    passkey_added: {
      subject: 'Une clé d’accès a été ajoutée',
      title: 'Une clé d’accès a été ajoutée',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Une clé d’accès ou une clé de sécurité a été ajoutée à votre compte {{.UserName}}.',
      buttonText: 'Se connecter',
      footer: 'Si ce n’était pas vous, supprimez-la de votre compte et prévenez votre administrateur.',
    },
    factor_added: {
      subject: 'Une deuxième étape a été ajoutée',
      title: 'Une deuxième étape a été ajoutée',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Une deuxième étape de connexion a été ajoutée à votre compte {{.UserName}}.',
      buttonText: 'Se connecter',
      footer: 'Si ce n’était pas vous, modifiez votre mot de passe et prévenez votre administrateur.',
    },
    factor_removed: {
      subject: 'Une méthode de connexion a été supprimée',
      title: 'Une méthode de connexion a été supprimée',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Une clé d’accès ou une deuxième étape a été supprimée de votre compte {{.UserName}}.',
      buttonText: 'Se connecter',
      footer: 'Si ce n’était pas vous, modifiez votre mot de passe et prévenez votre administrateur.',
    },
    new_browser: {
      subject: 'Nouvelle connexion à votre compte',
      title: 'Nouvelle connexion à votre compte',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Une connexion à votre compte {{.UserName}} a eu lieu avec un nouveau navigateur : {{.Detail}}.',
      buttonText: 'Se connecter',
      footer:
        'Si ce n’était pas vous, fermez la session dans votre compte, modifiez votre mot de passe et prévenez votre administrateur.',
    },
    email_changed: {
      subject: 'Votre adresse e-mail a été modifiée',
      title: 'Votre adresse e-mail a été modifiée',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'L’adresse e-mail de votre compte {{.UserName}} a été modifiée. Les messages ne sont plus envoyés à cette adresse.',
      buttonText: 'Se connecter',
      footer: 'Si ce n’était pas vous, prévenez immédiatement votre administrateur.',
    },
    phone_changed: {
      subject: 'Votre numéro de téléphone a été modifié',
      title: 'Votre numéro de téléphone a été modifié',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Le numéro de téléphone de votre compte {{.UserName}} a été modifié ou supprimé.',
      buttonText: 'Se connecter',
      footer: 'Si ce n’était pas vous, modifiez votre mot de passe et prévenez votre administrateur.',
    },
    deletion_requested: {
      subject: 'Votre compte va être supprimé',
      title: 'Votre compte va être supprimé',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'Vous avez demandé la suppression de votre compte {{.UserName}}. Il sera supprimé le {{.Detail}}. Jusque-là, vous pouvez vous connecter et annuler la suppression.',
      buttonText: 'Se connecter',
      footer: 'Si ce n’était pas vous, connectez-vous, annulez la suppression et modifiez votre mot de passe.',
    },
    approval_requested: {
      subject: '{{.Detail}} demande votre approbation',
      title: '{{.Detail}} demande votre approbation',
      greeting: 'Bonjour {{.DisplayName}},',
      text: 'L’application {{.Detail}} vous demande d’approuver une opération avec votre compte {{.UserName}}. Ouvrez la page de votre compte, lisez ce qui est demandé, puis approuvez ou refusez. La demande expire dans quelques minutes.',
      buttonText: 'Ouvrir la page du compte',
      footer: 'Si vous ne vous y attendiez pas, refusez la demande. Nous ne vous demandons jamais de code par e-mail.',
    },
  },
}
