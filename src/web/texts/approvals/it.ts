/** The sentences of the page for requests on the back channel, in Italian. */

export const approvalTexts = {
  approvals: {
    title: 'Richieste da approvare',
    none: 'Nessuna richiesta in attesa della tua approvazione.',
    waiting: (count: number) => `Applicazioni in attesa della tua approvazione: ${count}`,
    review: 'Esamina',
    asks: (name: string) => `${name} chiede la tua approvazione`,
    lead: (userName: string) => `Chiede quanto segue con il tuo account ${userName}:`,
    message: 'Messaggio dell’applicazione',
    until: 'Scade',
    warning: 'Approva solo se ti aspetti questa richiesta e il messaggio è quello che ti mostra l’applicazione.',
    approve: 'Approva',
    withPasskey: 'Approva con una passkey',
    proof: 'Per approvare, conferma che sei tu.',
    refuse: 'Rifiuta',
    approved: 'Approvato',
    approvedText: 'L’applicazione ora può proseguire. Puoi chiudere questa pagina.',
    refused: 'Rifiutato',
    refusedText: 'L’applicazione non riceve nulla.',
    gone: 'Questa richiesta non è più in attesa',
    goneText: 'È scaduta, è stata ritirata o è già stata decisa.',
    noFactor: 'Per approvare le richieste, aggiungi prima una passkey o configura la verifica in due passaggi.',
    setUp: 'Configura',
  },
}
