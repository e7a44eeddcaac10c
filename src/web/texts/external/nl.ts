/** The sentences of signing in with identity providers, in Dutch. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'externe provider',
    signInWith: (name) => `Doorgaan met ${name}`,
    more: 'Meer manieren om in te loggen',
    goOnWith: (name) => `Doorgaan met ${name}`,
    failed: {
      title: (name) => `Inloggen met ${name} mislukt`,
      text: 'Het duurde te lang, was al voltooid of is hier niet toegestaan. Er is niets gewijzigd. Probeer het opnieuw.',
    },
    cancelled: {
      title: (name) => `Inloggen met ${name} geannuleerd`,
      text: 'Er is niets gewijzigd. Probeer het opnieuw of log op een andere manier in.',
    },
    unavailable: {
      title: (name) => `Inloggen met ${name} is niet beschikbaar`,
      text: 'De provider reageert niet goed. Probeer het over enkele minuten opnieuw of log op een andere manier in.',
    },
    taken: {
      title: 'Dit account is al gekoppeld',
      text: (name, account) =>
        `Het ${name}-account ‘${account}’ is gekoppeld aan een andere gebruiker. Log eerst uit om ermee in te loggen.`,
    },
    unlinked: {
      title: (name) => `Dit ${name}-account kan hier niet worden gebruikt`,
      text: (name, account) =>
        `Het ${name}-account ‘${account}’ is aan geen enkele gebruiker gekoppeld. Vraag je beheerder om toegang.`,
    },
    back: 'Terug naar inloggen',
    link: {
      title: (name) => `Je ${name}-account koppelen?`,
      lead: (name, account, userName) =>
        `Je hebt ingelogd met het ${name}-account ‘${account}’. Als je het koppelt, kan iedereen met toegang daartoe inloggen als ‘${userName}’.`,
      yes: 'Account koppelen',
      no: 'Annuleren',
    },
    welcome: {
      title: 'Welkom',
      lead: (name, account) => `Je hebt ingelogd met het ${name}-account ‘${account}’.`,
      register: 'Controleer je gegevens om je account te maken.',
      firstName: 'Voornaam',
      lastName: 'Achternaam',
      userName: 'Gebruikersnaam',
      email: 'E-mailadres',
      button: 'Account maken',
      firstNameWrong: 'Vul een geldige voornaam in.',
      lastNameWrong: 'Vul een geldige achternaam in.',
      userNameWrong:
        'Deze gebruikersnaam is niet beschikbaar. Kies een andere. Je kunt alleen een e-mailadres gebruiken dat van jou is.',
      emailWrong: 'Vul een geldig e-mailadres in.',
      known: 'Heb je al een account?',
      knownText: 'Log daar eerst op in. Daarna kun je de twee accounts koppelen.',
      knownOnly:
        'Log eerst in op je bestaande account om het hier te gebruiken. Daarna kun je de twee accounts koppelen.',
      signIn: 'Inloggen op je account',
    },
    account: {
      title: 'Gekoppelde accounts',
      lead: 'Log in met een account van een andere provider.',
      off: 'Momenteel niet beschikbaar',
      link: (name) => `${name} koppelen`,
      more: 'Meer providers',
      other: 'Inloggen met een ander account',
    },
  },
}
