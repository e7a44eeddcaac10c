/** The sentences of signing in with identity providers, in Italian. */
import type { externalTexts as english } from './en.ts'

export const externalTexts: typeof english = {
  external: {
    unknown: 'un fornitore esterno',
    signInWith: (name) => `Continua con ${name}`,
    more: 'Altri modi per accedere',
    goOnWith: (name) => `Continua con ${name}`,
    failed: {
      title: (name) => `Accesso con ${name} non riuscito`,
      text: 'L’accesso ha richiesto troppo tempo, era già stato completato o non è consentito qui. Non è stato modificato nulla. Riprova.',
    },
    cancelled: {
      title: (name) => `Accesso con ${name} annullato`,
      text: 'Non è stato modificato nulla. Riprova o usa un altro modo per accedere.',
    },
    unavailable: {
      title: (name) => `Accesso con ${name} non disponibile`,
      text: 'Il fornitore non risponde correttamente. Riprova tra qualche minuto o usa un altro modo per accedere.',
    },
    taken: {
      title: 'Questo account è già collegato',
      text: (name, account) =>
        `L’account ${name} “${account}” è collegato a un altro utente. Per accedere con questo account, esci prima dalla sessione attuale.`,
    },
    unlinked: {
      title: (name) => `Questo account ${name} non può essere usato qui`,
      text: (name, account) =>
        `L’account ${name} “${account}” non è collegato ad alcun utente. Chiedi l’accesso al tuo amministratore.`,
    },
    back: 'Torna all’accesso',
    link: {
      title: (name) => `Collegare il tuo account ${name}?`,
      lead: (name, account, userName) =>
        `Hai eseguito l’accesso con l’account ${name} “${account}”. Se lo colleghi, chiunque vi abbia accesso potrà accedere come “${userName}”.`,
      yes: 'Collega account',
      no: 'Annulla',
    },
    welcome: {
      title: 'Ti diamo il benvenuto',
      lead: (name, account) => `Hai eseguito l’accesso con l’account ${name} “${account}”.`,
      register: 'Controlla i tuoi dati per creare l’account.',
      firstName: 'Nome',
      lastName: 'Cognome',
      userName: 'Nome utente',
      email: 'Indirizzo email',
      button: 'Crea account',
      firstNameWrong: 'Inserisci un nome valido.',
      lastNameWrong: 'Inserisci un cognome valido.',
      userNameWrong:
        'Questo nome utente non è disponibile. Scegline un altro. Puoi usare un indirizzo email solo se è il tuo.',
      emailWrong: 'Inserisci un indirizzo email valido.',
      known: 'Hai già un account?',
      knownText: 'Accedi prima a quell’account. Poi potrai collegare i due account.',
      knownOnly: 'Per usarlo qui, accedi prima al tuo account esistente. Poi potrai collegare i due account.',
      signIn: 'Accedi al tuo account',
    },
    account: {
      title: 'Account collegati',
      lead: 'Accedi con un account di un altro fornitore.',
      off: 'Al momento non disponibile',
      link: (name) => `Collega ${name}`,
      more: 'Altri fornitori',
      other: 'Accedi con un altro account',
    },
  },
}
