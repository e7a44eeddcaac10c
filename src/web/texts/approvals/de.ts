/** The sentences of the page for requests on the back channel, in German. */

export const approvalTexts = {
  approvals: {
    title: 'Anfragen, die Ihre Zustimmung brauchen',
    none: 'Es gibt keine Anfragen.',
    waiting: (count: number) => `Anwendungen, die auf Ihre Zustimmung warten: ${count}`,
    review: 'Ansehen',
    asks: (name: string) => `${name} bittet um Ihre Zustimmung`,
    lead: (userName: string) => `Sie bittet mit Ihrem Konto ${userName} um Folgendes:`,
    message: 'Nachricht der Anwendung',
    until: 'Läuft ab',
    warning: 'Stimmen Sie nur zu, wenn Sie die Anfrage erwarten und die Anwendung Ihnen dieselbe Nachricht anzeigt.',
    approve: 'Zustimmen',
    withPasskey: 'Mit einem Passkey zustimmen',
    proof: 'Bestätigen Sie, dass Sie es sind, um zuzustimmen.',
    refuse: 'Ablehnen',
    approved: 'Zugestimmt',
    approvedText: 'Die Anwendung kann jetzt weiterarbeiten. Sie können diese Seite schließen.',
    refused: 'Abgelehnt',
    refusedText: 'Die Anwendung erhält nichts.',
    gone: 'Diese Anfrage wartet nicht mehr',
    goneText: 'Sie ist abgelaufen, wurde zurückgezogen oder ist schon entschieden.',
    noFactor:
      'Um Anfragen zuzustimmen, fügen Sie zuerst einen Passkey hinzu oder richten Sie die Bestätigung in zwei Schritten ein.',
    setUp: 'Einrichten',
  },
}
