/** Every sentence of the hosted pages, in Italian. */
import { accountTexts } from './account/it.ts'
import { applicationTexts } from './applications/it.ts'
import { approvalTexts } from './approvals/it.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/it.ts'
import { methodTexts } from './methods/it.ts'
import { personalTexts } from './personal/it.ts'
import { signInTexts } from './sign-in/it.ts'

export const it: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: 'Lingue',
  summary: 'Si è verificato un problema',
  start: {
    title: 'Ti diamo il benvenuto',
    lead: 'Accedi per gestire il tuo account, le passkey e le applicazioni che usi.',
    forgotten: 'Password dimenticata?',
    api: 'Documentazione dell’API (OpenAPI)',
    inbox: 'Posta in arrivo di sviluppo',
    health: 'Stato del server',
    developers: 'Per sviluppatori e amministratori di sistema',
  },
  verifyEmail: {
    title: 'Verifica il tuo indirizzo email',
    lead: 'Conferma che questo indirizzo email ti appartiene.',
    code: 'Codice di verifica',
    codeMissing: 'Inserisci il codice di verifica ricevuto via email.',
    button: 'Verifica indirizzo email',
    done: 'Indirizzo email verificato',
    doneText: 'Grazie. Puoi chiudere questa pagina.',
  },
  password: {
    resetTitle: 'Scegli una nuova password',
    resetLead: 'La nuova password sostituisce quella attuale. Per accedere puoi anche usare una passkey.',
    inviteTitle: 'Accetta l’invito',
    inviteLead:
      'Scegli una password o usa una passkey per completare la configurazione del tuo account. In questo modo verifichi anche il tuo indirizzo email.',
    setupTitle: 'Configura Signet',
    recoverTitle: 'Recupera il tuo account',
    setupLead: 'Scegli una password per il tuo account di amministratore oppure usa una passkey.',
    first: 'Nuova password',
    second: 'Ripeti la password',
    missing: 'Inserisci una password.',
    different: 'Le password non corrispondono.',
    resetButton: 'Imposta password',
    inviteButton: 'Accetta invito',
    setupButton: 'Imposta password',
    rules: 'Requisiti della password',
    atLeast: (count) => (count === 1 ? 'Almeno 1 carattere' : `Almeno ${count} caratteri`),
    needsLowercase: 'Una lettera minuscola',
    needsUppercase: 'Una lettera maiuscola',
    needsNumber: 'Un numero',
    needsSymbol: 'Un simbolo, ad esempio ! o ?',
    notCommon: 'Non una password comune, né il tuo nome o indirizzo email',
    resetDone: 'Password impostata',
    resetDoneText: 'Usa la nuova password al prossimo accesso. Puoi chiudere questa pagina.',
    inviteDone: 'Il tuo account è pronto',
    inviteDoneText: 'La password è impostata e l’indirizzo email è verificato. Puoi chiudere questa pagina.',
  },
  flaws: {
    too_short: (least) =>
      least === 1
        ? 'La password deve contenere almeno 1 carattere.'
        : `La password deve contenere almeno ${least} caratteri.`,
    too_long: (_least, most) => `La password può contenere al massimo ${most} caratteri.`,
    no_lowercase: () => 'La password deve contenere una lettera minuscola.',
    no_uppercase: () => 'La password deve contenere una lettera maiuscola.',
    no_number: () => 'La password deve contenere un numero.',
    no_symbol: () => 'La password deve contenere un simbolo.',
    common: () => 'Questa password è troppo comune. Scegline un’altra.',
    own_name: () => 'Questa password è troppo simile al tuo nome o indirizzo email. Scegline un’altra.',
  },
  setupEmail: {
    lead: 'Inserisci il tuo indirizzo email. Riceverai un messaggio per verificarlo.',
    label: 'Indirizzo email',
    wrong: 'Inserisci un indirizzo email valido.',
    button: 'Continua',
  },
  setupDone: {
    title: 'Configurazione completata',
    name: (userName) => `Il tuo nome utente è “${userName}”. La password è impostata e l’accesso è stato eseguito.`,
    next: 'Prossimi passi',
    console: 'Gestisci utenti, organizzazioni, progetti e applicazioni nella console.',
    token: 'I client dell’API accedono con il token nel file admin.pat della cartella dei dati. Tienilo segreto.',
    mail: 'Finché non configuri un server di posta, tutte le email arrivano nella posta in arrivo di sviluppo.',
    api: 'Tutto ciò che fa la console è disponibile anche nell’API.',
  },
  forgotten: {
    title: 'Reimposta la password',
    lead: 'Inserisci il tuo nome utente o indirizzo email. Ti invieremo un link per reimpostare la password.',
    name: 'Nome utente o indirizzo email',
    missing: 'Inserisci il tuo nome utente o indirizzo email.',
    button: 'Invia link',
    closed: 'Qui non è possibile reimpostare la password. Contatta il tuo amministratore.',
  },
  sent: {
    title: 'Controlla la tua email',
    text: 'Se esiste un account corrispondente, entro pochi minuti riceverai un’email con un link. Controlla anche la cartella dello spam.',
    again: 'Nessuna email? Controlla i dati inseriti e riprova oppure contatta il tuo amministratore.',
  },
  stale: {
    title: 'Questo link non è valido',
    text: 'È scaduto, è già stato usato o è stato sostituito da uno più recente. Richiedine uno nuovo.',
    button: 'Invia un nuovo link',
    setupText:
      'È scaduto, è già stato usato o è stato sostituito da uno più recente. Per crearne uno nuovo, esegui “signet setup-link” sul server oppure “signet admin recover” se l’account era già configurato.',
  },
  incomplete: {
    title: 'Questo link è incompleto',
    text: 'Alcune app di posta spezzano i link lunghi. Copia il link completo dall’email nella barra degli indirizzi.',
  },
  busy: {
    title: 'Riprova',
    text: 'Il server è occupato. Riprova tra qualche secondo.',
  },
  notFound: {
    title: 'Pagina non trovata',
    text: 'Controlla l’indirizzo. La pagina potrebbe essere stata spostata o eliminata.',
  },
  notAllowed: { title: 'Richiesta non consentita', text: 'Questa pagina non supporta questo tipo di richiesta.' },
  crossSite: {
    title: 'Richiesta bloccata',
    text: 'Il modulo è stato inviato da un altro sito, quindi non è stato modificato nulla. Apri di nuovo la pagina o il link nell’email.',
  },
  unreadable: {
    title: 'Richiesta non valida',
    text: 'Non è stato possibile leggere il modulo oppure è troppo grande. Torna indietro e riprova.',
  },
  fault: {
    title: 'Qualcosa è andato storto',
    text: 'Si è verificato un errore da parte nostra. Riprova tra qualche minuto.',
  },
  signInFailed: {
    title: 'Accesso non riuscito',
    text: 'L’accesso ha richiesto troppo tempo o era già stato completato. Torna all’applicazione e ricomincia.',
  },
  home: 'Vai alla pagina iniziale',
  inbox: {
    title: 'Posta in arrivo di sviluppo',
    lead: 'Non è configurato alcun server di posta, quindi tutte le email arrivano qui. Questa pagina è disponibile solo su questo computer.',
    locked:
      'Apri il link alla posta in arrivo che il server mostra all’avvio. La chiave si trova nel file “inbox-key” della cartella dei dati.',
    empty: 'Ancora nessuna email.',
    to: 'A',
    at: 'Data',
    back: 'Tutte le email',
    asText: 'Solo testo',
    body: 'Contenuto dell’email',
  },
}
