/** The sentences of signing in, in Italian. */
import type { signInTexts as english } from './en.ts'

export const signInTexts: typeof english = {
  insecure: {
    title: 'Connessione non sicura',
    text: 'Per accedere è necessaria una connessione cifrata. Apri questa pagina con un indirizzo che inizia con https://.',
  },
  wait: {
    title: 'Attendi',
    text: 'Troppi tentativi.',
    again: 'Riprova',
    seconds: (count) => (count === 1 ? 'Riprova tra 1 secondo.' : `Riprova tra ${count} secondi.`),
    minutes: (count) => (count === 1 ? 'Riprova tra 1 minuto.' : `Riprova tra ${count} minuti.`),
  },
  signIn: {
    title: 'Accedi',
    name: 'Nome utente o indirizzo email',
    password: 'Password',
    show: 'Mostra password',
    button: 'Accedi',
    or: 'oppure',
    passkey: 'Accedi con una passkey',
    nameMissing: 'Inserisci il tuo nome utente o indirizzo email.',
    passwordMissing: 'Inserisci la password.',
    refused:
      'Il nome utente, l’indirizzo email o la password non sono corretti oppure questo account non è al momento disponibile.',
  },
  again: {
    title: 'Conferma la tua identità',
    lead: (userName) =>
      `Hai eseguito l’accesso come “${userName}”. Conferma la tua identità per modificare le impostazioni di accesso.`,
    button: 'Continua',
    passkey: 'Usa una passkey',
  },
  keys: {
    cancelled: 'La richiesta è stata annullata o è scaduta. Riprova.',
    known: 'Il dispositivo o la chiave di sicurezza risulta già registrato.',
    failed: 'Il browser non ha potuto completare la richiesta. Prova un altro metodo.',
    unsupported: 'Questo browser non supporta le passkey. Usa un browser più recente.',
    needsScript: 'Le passkey richiedono JavaScript. Attivalo nelle impostazioni del browser.',
    unavailable: 'Su questo sito non è possibile usare passkey. Prova un altro metodo.',
    tooLate: 'La richiesta è scaduta. Ricarica la pagina e riprova.',
    refused: 'La passkey o la chiave di sicurezza non è stata riconosciuta oppure la richiesta è scaduta. Riprova.',
  },
  secondFactor: {
    title: 'Verifica in due passaggi',
    lead: {
      u2f: 'Usa la tua chiave di sicurezza.',
      totp: 'Inserisci il codice della tua app di autenticazione. Ogni codice vale una sola volta. Se l’hai appena usato, attendi il successivo.',
      otp_email: 'Invieremo un codice di verifica al tuo indirizzo email.',
      otp_sms: 'Invieremo un codice di verifica al tuo telefono.',
      recovery_code: 'Inserisci uno dei tuoi codici di recupero. Ogni codice vale una sola volta.',
    },
    sent: {
      otp_email: 'Abbiamo inviato un codice di verifica al tuo indirizzo email. È valido per 5 minuti.',
      otp_sms: 'Abbiamo inviato un codice di verifica al tuo telefono. È valido per 5 minuti.',
    },
    code: {
      totp: 'Codice di verifica',
      otp_email: 'Codice di verifica',
      otp_sms: 'Codice di verifica',
      recovery_code: 'Codice di recupero',
    },
    names: {
      u2f: 'Chiave di sicurezza',
      totp: 'App di autenticazione',
      otp_email: 'Codice via email',
      otp_sms: 'Codice via SMS',
      recovery_code: 'Codice di recupero',
    },
    button: 'Continua',
    useKey: 'Usa chiave di sicurezza',
    send: 'Invia codice',
    sendAgain: 'Invia un nuovo codice',
    others: 'Prova un altro metodo',
    missing: 'Inserisci il codice.',
    refused: 'Questo codice è errato, è scaduto o è già stato usato. Riprova con un nuovo codice.',
    notSent: 'Non è stato possibile inviare il codice. Prova un altro metodo.',
  },
  requiredFactor: {
    title: 'Configura la verifica in due passaggi',
    lead: 'La tua organizzazione richiede un secondo passaggio per accedere. Configuralo una volta per continuare.',
    none: 'La tua organizzazione richiede la verifica in due passaggi, ma non hai alcun metodo a disposizione. Contatta il tuo amministratore.',
    app: 'Configura app di autenticazione',
    key: 'Configura chiave di sicurezza',
  },
  app: {
    title: 'Configura l’app di autenticazione',
    lead: 'Scansiona il codice QR con l’app. Poi inserisci il codice che l’app mostra.',
    picture: 'Codice QR per l’app di autenticazione',
    byHand: 'Non riesci a scansionarlo? Inserisci questa chiave nell’app:',
    code: 'Codice di verifica',
    button: 'Completa la configurazione',
    refused: 'Questo codice è errato. Inserisci il codice attuale dell’app.',
  },
  signedIn: {
    title: 'Accesso eseguito',
    lead: (userName) => `Ti diamo il benvenuto, ${userName}. Reindirizzamento in corso…`,
    go: 'Continua',
    account: 'Vai al tuo account',
  },
  signedOut: {
    title: 'Disconnessione eseguita',
    lead: 'La tua sessione in questo browser è terminata.',
    again: 'Accedi di nuovo',
  },
  changePassword: {
    title: 'Cambia la password',
    firstTitle: 'Scegli una password',
    required: 'Per continuare, sostituisci la password temporanea con una nuova.',
    current: 'Password attuale',
    currentMissing: 'Inserisci la password attuale.',
    wrong: 'La password attuale non è corretta.',
  },
  registerPasskey: {
    title: 'Aggiungi una passkey',
    lead: 'Accedi con l’impronta digitale, il volto o il PIN del dispositivo invece che con una password.',
    refused:
      'Non è stato possibile aggiungere la passkey. Il link potrebbe essere scaduto, già usato o sostituito da uno più recente. Richiedi un nuovo link.',
    done: 'Passkey aggiunta',
    doneText: 'Ora puoi accedere con la tua passkey.',
  },
  setUpPasskey: {
    button: 'Usa invece una passkey',
    done: (userName) => `Il tuo nome utente è “${userName}” e la tua passkey è salvata. Usala ora per accedere.`,
  },
  setUpInsecure: {
    title: 'Non è possibile eseguire la configurazione da questo indirizzo',
    why: 'Hai aperto questa pagina tramite http:// a un indirizzo che non è quello di questo computer. I browser offrono le passkey solo tramite https:// e qui non conservano il cookie di sessione, quindi poi non potresti accedere. Non è stato modificato nulla e il tuo link è ancora valido.',
    how: 'Apri il link con un indirizzo che inizia con https:// e imposta SIGNET_EXTERNAL_URL su quell’indirizzo. Sul server stesso funziona anche http://localhost.',
  },
  userName: 'Nome utente',
}
