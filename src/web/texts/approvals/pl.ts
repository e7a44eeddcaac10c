/** The sentences of the page for requests on the back channel, in Polish. */

export const approvalTexts = {
  approvals: {
    title: 'Prośby o Twoją zgodę',
    none: 'Nic nie czeka na Twoją zgodę.',
    waiting: (count: number) => `Aplikacje czekające na Twoją zgodę: ${count}`,
    review: 'Sprawdź',
    asks: (name: string) => `${name} prosi o Twoją zgodę`,
    lead: (userName: string) => `Na Twoim koncie ${userName} aplikacja prosi o:`,
    message: 'Wiadomość od aplikacji',
    until: 'Wygasa',
    warning: 'Zatwierdź tylko wtedy, gdy spodziewasz się tej prośby, a aplikacja pokazuje tę samą wiadomość.',
    approve: 'Zatwierdź',
    withPasskey: 'Zatwierdź kluczem dostępu',
    proof: 'Aby zatwierdzić, potwierdź swoją tożsamość.',
    refuse: 'Odrzuć',
    approved: 'Zatwierdzono',
    approvedText: 'Aplikacja może teraz kontynuować. Możesz zamknąć tę stronę.',
    refused: 'Odrzucono',
    refusedText: 'Aplikacja niczego nie otrzyma.',
    gone: 'Ta prośba już nie czeka',
    goneText: 'Wygasła, została wycofana lub jest już rozpatrzona.',
    noFactor: 'Aby zatwierdzać prośby, najpierw dodaj klucz dostępu lub skonfiguruj weryfikację dwuetapową.',
    setUp: 'Skonfiguruj',
  },
}
