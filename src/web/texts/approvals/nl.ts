/** The sentences of the page for requests on the back channel, in Dutch. */

export const approvalTexts = {
  approvals: {
    title: 'Verzoeken om je goedkeuring',
    none: 'Er wacht niets op je goedkeuring.',
    waiting: (count: number) => `Applicaties die op je goedkeuring wachten: ${count}`,
    review: 'Bekijken',
    asks: (name: string) => `${name} vraagt je goedkeuring`,
    lead: (userName: string) => `De applicatie vraagt het volgende met je account ${userName}:`,
    message: 'Bericht van de applicatie',
    until: 'Verloopt',
    warning: 'Keur alleen goed als je dit verzoek verwacht en de applicatie je hetzelfde bericht toont.',
    approve: 'Goedkeuren',
    withPasskey: 'Goedkeuren met een passkey',
    proof: 'Bevestig dat jij het bent om goed te keuren.',
    refuse: 'Weigeren',
    approved: 'Goedgekeurd',
    approvedText: 'De applicatie kan nu verder. Je kunt deze pagina sluiten.',
    refused: 'Geweigerd',
    refusedText: 'De applicatie krijgt niets.',
    gone: 'Dit verzoek wacht niet meer',
    goneText: 'Het is verlopen, ingetrokken of er is al over beslist.',
    noFactor: 'Voeg eerst een passkey toe of stel verificatie in twee stappen in om verzoeken goed te keuren.',
    setUp: 'Instellen',
  },
}
