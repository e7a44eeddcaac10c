/** Every sentence of the hosted pages, in Dutch. */
import { accountTexts } from './account/nl.ts'
import { applicationTexts } from './applications/nl.ts'
import { approvalTexts } from './approvals/nl.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/nl.ts'
import { methodTexts } from './methods/nl.ts'
import { personalTexts } from './personal/nl.ts'
import { signInTexts } from './sign-in/nl.ts'

export const nl: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: 'Talen',
  summary: 'Er is een probleem',
  start: {
    title: 'Welkom',
    lead: 'Log in om je account, je passkeys en de apps die je gebruikt te beheren.',
    forgotten: 'Wachtwoord vergeten?',
    api: 'API-documentatie (OpenAPI)',
    inbox: 'Postvak voor ontwikkeling',
    health: 'Serverstatus',
    developers: 'Voor ontwikkelaars en beheerders',
  },
  verifyEmail: {
    title: 'Bevestig je e-mailadres',
    lead: 'Bevestig dat dit e-mailadres van jou is.',
    code: 'Verificatiecode',
    codeMissing: 'Vul de verificatiecode uit de e-mail in.',
    button: 'E-mailadres bevestigen',
    done: 'E-mailadres bevestigd',
    doneText: 'Bedankt. Je kunt deze pagina sluiten.',
  },
  password: {
    resetTitle: 'Kies een nieuw wachtwoord',
    resetLead: 'Het nieuwe wachtwoord vervangt je huidige. Je kunt ook een passkey gebruiken om in te loggen.',
    inviteTitle: 'Accepteer je uitnodiging',
    inviteLead:
      'Kies een wachtwoord of gebruik een passkey om je account af te ronden. Hiermee bevestig je ook je e-mailadres.',
    setupTitle: 'Signet instellen',
    recoverTitle: 'Herstel je account',
    setupLead: 'Kies een wachtwoord voor je beheerdersaccount of gebruik een passkey.',
    first: 'Nieuw wachtwoord',
    second: 'Wachtwoord herhalen',
    missing: 'Vul een wachtwoord in.',
    different: 'De wachtwoorden komen niet overeen.',
    resetButton: 'Wachtwoord instellen',
    inviteButton: 'Uitnodiging accepteren',
    setupButton: 'Wachtwoord instellen',
    rules: 'Eisen aan het wachtwoord',
    atLeast: (count) => (count === 1 ? 'Minimaal 1 teken' : `Minimaal ${count} tekens`),
    needsLowercase: 'Een kleine letter',
    needsUppercase: 'Een hoofdletter',
    needsNumber: 'Een cijfer',
    needsSymbol: 'Een symbool, zoals ! of ?',
    notCommon: 'Geen veelgebruikt wachtwoord en niet je naam of e-mailadres',
    resetDone: 'Wachtwoord ingesteld',
    resetDoneText: 'Gebruik je nieuwe wachtwoord de volgende keer dat je inlogt. Je kunt deze pagina sluiten.',
    inviteDone: 'Je account is klaar',
    inviteDoneText: 'Je wachtwoord is ingesteld en je e-mailadres is bevestigd. Je kunt deze pagina sluiten.',
  },
  flaws: {
    too_short: (least) =>
      least === 1
        ? 'Het wachtwoord moet minimaal 1 teken bevatten.'
        : `Het wachtwoord moet minimaal ${least} tekens bevatten.`,
    too_long: (_least, most) => `Het wachtwoord mag maximaal ${most} tekens bevatten.`,
    no_lowercase: () => 'Het wachtwoord moet een kleine letter bevatten.',
    no_uppercase: () => 'Het wachtwoord moet een hoofdletter bevatten.',
    no_number: () => 'Het wachtwoord moet een cijfer bevatten.',
    no_symbol: () => 'Het wachtwoord moet een symbool bevatten.',
    common: () => 'Dit wachtwoord wordt te vaak gebruikt. Kies een ander.',
    own_name: () => 'Dit wachtwoord lijkt te veel op je naam of e-mailadres. Kies een ander.',
  },
  setupEmail: {
    lead: 'Vul je e-mailadres in. Je krijgt een bericht om het te bevestigen.',
    label: 'E-mailadres',
    wrong: 'Vul een geldig e-mailadres in.',
    button: 'Doorgaan',
  },
  setupDone: {
    title: 'Instellen voltooid',
    name: (userName) => `Je gebruikersnaam is ‘${userName}’. Je wachtwoord is ingesteld en je bent ingelogd.`,
    next: 'Volgende stappen',
    console: 'Beheer gebruikers, organisaties, projecten en apps in de console.',
    token: 'API-clients loggen in met het token uit het bestand admin.pat in de gegevensmap. Houd het geheim.',
    mail: 'Zolang er geen mailserver is ingesteld, komen alle e-mails in het postvak voor ontwikkeling.',
    api: 'Alles wat de console kan, kan de API ook.',
  },
  forgotten: {
    title: 'Stel je wachtwoord opnieuw in',
    lead: 'Vul je gebruikersnaam of e-mailadres in. We mailen je een link om je wachtwoord opnieuw in te stellen.',
    name: 'Gebruikersnaam of e-mailadres',
    missing: 'Vul je gebruikersnaam of e-mailadres in.',
    button: 'Link versturen',
    closed: 'Je wachtwoord kan hier niet opnieuw worden ingesteld. Neem contact op met je beheerder.',
  },
  sent: {
    title: 'Bekijk je e-mail',
    text: 'Als er een account bij hoort, ontvang je binnen enkele minuten een e-mail met een link. Kijk ook in je spammap.',
    again: 'Geen e-mail? Controleer wat je hebt ingevuld en probeer het opnieuw, of neem contact op met je beheerder.',
  },
  stale: {
    title: 'Deze link is niet geldig',
    text: 'De link is verlopen, al gebruikt of vervangen door een nieuwere. Vraag een nieuwe aan.',
    button: 'Nieuwe link versturen',
    setupText:
      'De link is verlopen, al gebruikt of vervangen door een nieuwere. Voer op de server ‘signet setup-link’ uit om een nieuwe te maken, of ‘signet admin recover’ als het account al was ingesteld.',
  },
  incomplete: {
    title: 'Deze link is onvolledig',
    text: 'Sommige e-mailapps breken lange links af. Kopieer de volledige link uit de e-mail naar de adresbalk.',
  },
  busy: {
    title: 'Probeer het opnieuw',
    text: 'De server is bezet. Probeer het over enkele seconden opnieuw.',
  },
  notFound: {
    title: 'Pagina niet gevonden',
    text: 'Controleer het adres. De pagina is mogelijk verplaatst of verwijderd.',
  },
  notAllowed: { title: 'Verzoek niet toegestaan', text: 'Deze pagina ondersteunt dit soort verzoeken niet.' },
  crossSite: {
    title: 'Verzoek geblokkeerd',
    text: 'Het formulier kwam van een andere site, dus er is niets gewijzigd. Open de pagina of de link uit je e-mail opnieuw.',
  },
  unreadable: {
    title: 'Ongeldig verzoek',
    text: 'Het formulier kon niet worden gelezen of is te groot. Ga terug en probeer het opnieuw.',
  },
  fault: {
    title: 'Er is iets misgegaan',
    text: 'Er is bij ons een fout opgetreden. Probeer het over enkele minuten opnieuw.',
  },
  signInFailed: {
    title: 'Inloggen mislukt',
    text: 'Het inloggen duurde te lang of was al voltooid. Ga terug naar de app en begin opnieuw.',
  },
  home: 'Naar de startpagina',
  inbox: {
    title: 'Postvak voor ontwikkeling',
    lead: 'Er is geen mailserver ingesteld, dus alle e-mails komen hier binnen. Deze pagina is alleen op deze computer beschikbaar.',
    locked:
      'Open de link naar het postvak die de server bij het starten toont. De sleutel staat in het bestand ‘inbox-key’ in de gegevensmap.',
    empty: 'Nog geen e-mails.',
    to: 'Aan',
    at: 'Datum',
    back: 'Alle e-mails',
    asText: 'Alleen tekst',
    body: 'Inhoud van de e-mail',
  },
}
