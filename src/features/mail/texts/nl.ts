/** The built-in texts of emails in Dutch. */
import type { LanguageTexts } from '../message-types.ts'

export const dutch: LanguageTexts = {
  labels: {
    code: 'Je code',
    link: 'Werkt de knop niet? Kopieer dan deze link naar je browser:',
    validFor: (duration) => `Geldig gedurende ${duration}.`,
  },
  messages: {
    verify_email: {
      subject: 'Bevestig je e-mailadres',
      title: 'Bevestig je e-mailadres',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Bevestig dat dit e-mailadres van jou is.',
      buttonText: 'E-mailadres bevestigen',
      footer: 'Als je deze e-mail niet verwachtte, kun je hem negeren.',
    },
    password_reset: {
      subject: 'Stel je wachtwoord opnieuw in',
      title: 'Stel je wachtwoord opnieuw in',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'We hebben een verzoek ontvangen om het wachtwoord van je account {{.UserName}} opnieuw in te stellen.',
      buttonText: 'Wachtwoord opnieuw instellen',
      footer:
        'Als je dit niet hebt aangevraagd, kun je deze e-mail negeren. Je wachtwoord verandert dan niet. Stuur deze e-mail niet door.',
    },
    invitation: {
      subject: 'Uitnodiging voor {{.ApplicationName}}',
      title: 'Welkom',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Er is een account bij {{.ApplicationName}} voor je gemaakt. Accepteer de uitnodiging en kies hoe je wilt inloggen.',
      buttonText: 'Uitnodiging accepteren',
      footer: 'Als je deze uitnodiging niet verwachtte, kun je deze e-mail negeren. Stuur hem niet door.',
    },
    passkey_link: {
      subject: 'Voeg een passkey toe',
      title: 'Voeg een passkey toe',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Open deze link op het apparaat waarmee je wilt inloggen en voeg een passkey toe aan je account.',
      buttonText: 'Passkey toevoegen',
      footer:
        'Als je dit niet hebt aangevraagd, negeer deze e-mail dan en laat het je beheerder weten. Stuur hem niet door.',
    },
    one_time_code: {
      subject: 'Je verificatiecode',
      title: 'Je verificatiecode',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Gebruik deze code om het inloggen te voltooien.',
      buttonText: 'Inloggen',
      footer: 'Deel deze code nooit met iemand. Probeer je niet in te loggen? Wijzig dan je wachtwoord.',
    },
    password_changed: {
      subject: 'Je wachtwoord is gewijzigd',
      title: 'Je wachtwoord is gewijzigd',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Het wachtwoord van je account {{.UserName}} is gewijzigd.',
      buttonText: 'Inloggen',
      footer: 'Als jij dit niet was, stel je wachtwoord dan meteen opnieuw in en laat het je beheerder weten.',
    },
    sign_in_locked: {
      subject: 'Inloggen is tijdelijk geblokkeerd',
      title: 'Inloggen is tijdelijk geblokkeerd',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Er waren te veel mislukte pogingen om in te loggen op je account {{.UserName}}. We hebben het inloggen tijdelijk geblokkeerd. Je kunt nog wel een passkey gebruiken of je wachtwoord opnieuw instellen.',
      buttonText: 'Inloggen',
      footer:
        'Als deze pogingen niet van jou waren, kies dan een wachtwoord dat je nergens anders gebruikt en laat het je beheerder weten.',
    },
    passkey_added: {
      subject: 'Er is een passkey toegevoegd',
      title: 'Er is een passkey toegevoegd',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Er is een passkey of beveiligingssleutel toegevoegd aan je account {{.UserName}}.',
      buttonText: 'Inloggen',
      footer: 'Als jij dit niet was, verwijder deze dan uit je account en laat het je beheerder weten.',
    },
    factor_added: {
      subject: 'Er is een tweede stap toegevoegd',
      title: 'Er is een tweede stap toegevoegd',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Er is een tweede stap voor het inloggen toegevoegd aan je account {{.UserName}}.',
      buttonText: 'Inloggen',
      footer: 'Als jij dit niet was, wijzig dan je wachtwoord en laat het je beheerder weten.',
    },
    factor_removed: {
      subject: 'Er is een inlogmethode verwijderd',
      title: 'Er is een inlogmethode verwijderd',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Er is een passkey of een tweede stap verwijderd uit je account {{.UserName}}.',
      buttonText: 'Inloggen',
      footer: 'Als jij dit niet was, wijzig dan je wachtwoord en laat het je beheerder weten.',
    },
    new_browser: {
      subject: 'Nieuwe login op je account',
      title: 'Nieuwe login op je account',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Er is met een nieuwe browser ingelogd op je account {{.UserName}}: {{.Detail}}.',
      buttonText: 'Inloggen',
      footer:
        'Als jij dit niet was, beëindig dan de sessie in je account, wijzig je wachtwoord en laat het je beheerder weten.',
    },
    email_changed: {
      subject: 'Je e-mailadres is gewijzigd',
      title: 'Je e-mailadres is gewijzigd',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Het e-mailadres van je account {{.UserName}} is gewijzigd. Berichten gaan niet meer naar dit adres.',
      buttonText: 'Inloggen',
      footer: 'Als jij dit niet was, laat het dan meteen aan je beheerder weten.',
    },
    phone_changed: {
      subject: 'Je telefoonnummer is gewijzigd',
      title: 'Je telefoonnummer is gewijzigd',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Het telefoonnummer van je account {{.UserName}} is gewijzigd of verwijderd.',
      buttonText: 'Inloggen',
      footer: 'Als jij dit niet was, wijzig dan je wachtwoord en laat het je beheerder weten.',
    },
    deletion_requested: {
      subject: 'Je account wordt verwijderd',
      title: 'Je account wordt verwijderd',
      greeting: 'Hallo {{.DisplayName}},',
      text: 'Je hebt gevraagd om je account {{.UserName}} te verwijderen. Het wordt verwijderd op {{.Detail}}. Tot die tijd kun je inloggen en de verwijdering annuleren.',
      buttonText: 'Inloggen',
      footer: 'Als jij dit niet was, log dan in, annuleer de verwijdering en wijzig je wachtwoord.',
    },
  },
}
