/** The sentences of signing in, in Dutch. */
import type { signInTexts as english } from './en.ts'

export const signInTexts: typeof english = {
  insecure: {
    title: 'Verbinding niet beveiligd',
    text: 'Inloggen kan alleen via een versleutelde verbinding. Open deze pagina met een adres dat begint met https://.',
  },
  wait: {
    title: 'Even geduld',
    text: 'Te veel pogingen.',
    again: 'Opnieuw proberen',
    seconds: (count) =>
      count === 1 ? 'Probeer het over 1 seconde opnieuw.' : `Probeer het over ${count} seconden opnieuw.`,
    minutes: (count) =>
      count === 1 ? 'Probeer het over 1 minuut opnieuw.' : `Probeer het over ${count} minuten opnieuw.`,
  },
  signIn: {
    title: 'Inloggen',
    name: 'Gebruikersnaam of e-mailadres',
    password: 'Wachtwoord',
    show: 'Wachtwoord tonen',
    button: 'Inloggen',
    or: 'of',
    passkey: 'Inloggen met een passkey',
    nameMissing: 'Vul je gebruikersnaam of e-mailadres in.',
    passwordMissing: 'Vul je wachtwoord in.',
    refused:
      'De gebruikersnaam, het e-mailadres of het wachtwoord is onjuist, of dit account is momenteel niet beschikbaar.',
  },
  again: {
    title: 'Bevestig dat jij het bent',
    lead: (userName) =>
      `Je bent ingelogd als ‘${userName}’. Bevestig je identiteit om je inloginstellingen te wijzigen.`,
    button: 'Doorgaan',
    passkey: 'Passkey gebruiken',
  },
  keys: {
    cancelled: 'Het verzoek is geannuleerd of verlopen. Probeer het opnieuw.',
    known: 'Dit apparaat of deze beveiligingssleutel is al geregistreerd.',
    failed: 'Je browser kon het verzoek niet voltooien. Probeer een andere manier.',
    unsupported: 'Deze browser ondersteunt geen passkeys. Gebruik een nieuwere browser.',
    needsScript: 'Voor passkeys is JavaScript nodig. Zet het aan in de instellingen van je browser.',
    unavailable: 'Op deze site kan geen passkey worden gebruikt. Probeer een andere manier.',
    tooLate: 'Het verzoek is verlopen. Laad de pagina opnieuw en probeer het nog eens.',
    refused: 'De passkey of beveiligingssleutel is niet herkend, of het verzoek is verlopen. Probeer het opnieuw.',
  },
  secondFactor: {
    title: 'Verificatie in twee stappen',
    lead: {
      u2f: 'Gebruik je beveiligingssleutel.',
      totp: 'Vul de code uit je authenticator-app in. Elke code werkt één keer. Heb je hem net gebruikt, wacht dan op de volgende.',
      otp_email: 'We sturen een verificatiecode naar je e-mailadres.',
      otp_sms: 'We sturen een verificatiecode naar je telefoon.',
      recovery_code: 'Vul een van je herstelcodes in. Elke code werkt één keer.',
    },
    sent: {
      otp_email: 'We hebben een verificatiecode naar je e-mailadres gestuurd. De code is 5 minuten geldig.',
      otp_sms: 'We hebben een verificatiecode naar je telefoon gestuurd. De code is 5 minuten geldig.',
    },
    code: {
      totp: 'Verificatiecode',
      otp_email: 'Verificatiecode',
      otp_sms: 'Verificatiecode',
      recovery_code: 'Herstelcode',
    },
    names: {
      u2f: 'Beveiligingssleutel',
      totp: 'Authenticator-app',
      otp_email: 'Code per e-mail',
      otp_sms: 'Code per sms',
      recovery_code: 'Herstelcode',
    },
    button: 'Doorgaan',
    useKey: 'Beveiligingssleutel gebruiken',
    send: 'Code versturen',
    sendAgain: 'Nieuwe code versturen',
    others: 'Andere manier proberen',
    missing: 'Vul de code in.',
    refused: 'Deze code is onjuist, verlopen of al gebruikt. Probeer het opnieuw met een nieuwe code.',
    notSent: 'De code kon niet worden verstuurd. Probeer een andere manier.',
  },
  requiredFactor: {
    title: 'Stel verificatie in twee stappen in',
    lead: 'Je organisatie vereist een tweede stap bij het inloggen. Stel die één keer in om door te gaan.',
    none: 'Je organisatie vereist verificatie in twee stappen, maar er is geen methode voor je beschikbaar. Neem contact op met je beheerder.',
    app: 'Authenticator-app instellen',
    key: 'Beveiligingssleutel instellen',
  },
  app: {
    title: 'Stel je authenticator-app in',
    lead: 'Scan de QR-code met je app. Vul daarna de code in die de app toont.',
    picture: 'QR-code voor de authenticator-app',
    byHand: 'Lukt scannen niet? Vul deze sleutel in je app in:',
    code: 'Verificatiecode',
    button: 'Instellen voltooien',
    refused: 'Deze code is onjuist. Vul de huidige code uit je app in.',
  },
  signedIn: {
    title: 'Je bent ingelogd',
    lead: (userName) => `Welkom, ${userName}. Je wordt doorgestuurd…`,
    go: 'Doorgaan',
    account: 'Naar je account',
  },
  signedOut: {
    title: 'Je bent uitgelogd',
    lead: 'Je sessie in deze browser is beëindigd.',
    again: 'Opnieuw inloggen',
  },
  changePassword: {
    title: 'Wijzig je wachtwoord',
    firstTitle: 'Kies een wachtwoord',
    required: 'Vervang je tijdelijke wachtwoord door een nieuw wachtwoord om door te gaan.',
    current: 'Huidig wachtwoord',
    currentMissing: 'Vul je huidige wachtwoord in.',
    wrong: 'Het huidige wachtwoord is onjuist.',
  },
  registerPasskey: {
    title: 'Voeg een passkey toe',
    lead: 'Log in met je vingerafdruk, gezicht of de pincode van je apparaat in plaats van een wachtwoord.',
    refused:
      'De passkey kon niet worden toegevoegd. De link is mogelijk verlopen, al gebruikt of vervangen door een nieuwere. Vraag een nieuwe link aan.',
    done: 'Passkey toegevoegd',
    doneText: 'Je kunt nu met je passkey inloggen.',
  },
  setUpPasskey: {
    button: 'In plaats daarvan een passkey gebruiken',
    done: (userName) =>
      `Je gebruikersnaam is ‘${userName}’ en je passkey is opgeslagen. Gebruik hem nu om in te loggen.`,
  },
  setUpInsecure: {
    title: 'Instellen kan niet via dit adres',
    why: 'Je hebt deze pagina geopend via http:// op een adres dat niet van deze computer is. Browsers bieden passkeys alleen via https:// aan en bewaren hier geen sessiecookie, dus je zou daarna niet kunnen inloggen. Er is niets gewijzigd en je link is nog geldig.',
    how: 'Open de link met een adres dat begint met https:// en stel SIGNET_EXTERNAL_URL in op dat adres. Op de server zelf werkt ook http://localhost.',
  },
  userName: 'Gebruikersnaam',
}
