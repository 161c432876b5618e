/** What each recipe is for, in German; the files of the recipes say it in English. */
export const recipes: Readonly<Record<string, string>> = {
  'ai-answers':
    'Lässt ein Sprachmodell aus der Wissensbasis Antworten auf Fragen der Gäste entwerfen; Sie geben jede frei. Braucht ai.url und ai.model in der Konfiguration; bis zum Stand „aktiv“ geschieht nichts.',
  'booking-confirmation': 'Dankt für die Buchung; wartet sie auf Zahlung oder Antwort, sobald sie gilt.',
  'booking-held':
    'Sendet denen, die auf Ihrer Seite gebucht haben, den Link ihrer Buchung, solange die Zahlung fehlt: wie und bis wann sie zahlen. Nur wo der Kern im selben stayd läuft.',
  'before-arrival': 'Freut sich eine Woche vorher auf den Gast.',
  'check-in-info': 'Adresse und Türcode, zwei Tage vorher; bei späten Buchungen eine halbe Stunde danach.',
  'guest-page-link':
    'Sendet vier Tage vorher den Link zur Seite für Gäste: Hausinformationen, Türcode an seinem Tag, Anmeldung. Nur wo der Kern im selben stayd läuft; anderswo meldet die Regel, dass der Link fehlt.',
  'mid-stay': 'Fragt bei Aufenthalten von mehreren Nächten, ob alles in Ordnung ist.',
  'check-out-info': 'Was bei der Abreise zu tun ist, am Abend davor.',
  'review-request': 'Bittet zwei Tage danach um eine Bewertung.',
  'weekend-arrival': 'Sagt Gästen, die am Wochenende kommen, dass das Büro dann geschlossen ist.',
  'fresh-towels':
    'Eine Zwischenreinigung bei langen Aufenthalten und großen Gruppen; nicht für die, die keine möchten.',
  'weekday-arrivals': 'Sagt an Werktagen, wer kommt; am Wochenende liest es niemand.',
  'french-guests': 'Notiert, wer auf Französisch anzurufen ist.',
  'pick-up':
    'Lässt Gäste abholen, deren Feld „pickup“ sagt, wo; schreiben Sie es von Hand oder durch ein Programm in den Aufenthalt.',
  'welcome-back': 'Begrüßt Gäste, die schon einmal da waren, nach E-Mail-Adresse oder Telefon.',
  'coast-heating': 'Lässt die Heizung einen Tag vorher anstellen, in den Unterkünften einer Gruppe.',
  turnover:
    'Eine Reinigung am Tag der Abreise, gekennzeichnet, wenn am selben Tag die nächsten Gäste kommen; zieht mit dem Aufenthalt um und entfällt mit ihm.',
  'turnover-in-turns':
    'Dasselbe, reihum an drei Personen vergeben. Setzen Sie die Nummern Ihrer eigenen Leute ein (GET /v3/staffs nennt sie).',
  'lock-code': 'Ein eigener Türcode für jeden Aufenthalt; er geht mit ihm.',
  'lock-code-ends': 'Nimmt den Code weg, nachdem die Gäste abgereist sind.',
  'payment-reminder':
    'Erinnert eine Woche vorher an das, was noch zu zahlen ist; wer auf Ihrer Seite gebucht hat, bekommt deren Link. Wählen Sie den Tag danach, wann Ihre Preise die Restzahlung verlangen.',
  'deposit-reminder': 'Erinnert drei Tage vorher an die Kaution.',
  'review-thanks': 'Entwirft eine Antwort auf eine gute Bewertung; Sie geben sie frei.',
  'gap-nights': 'Eine oder zwei freie Nächte zwischen zwei Aufenthalten kosten weniger.',
  'early-check-in': 'Bietet eine frühe Anreise an, wo in der Nacht davor niemand im Haus schläft.',
  'late-check-out': 'Bietet eine späte Abreise an, wo am Tag der Abreise niemand kommt.',
  'prices-by-demand':
    'Freie Nächte kosten in einer vollen Woche mehr und im letzten Moment weniger, immer vom Preis ohne die Regel aus gerechnet.',
  'gap-min-stay':
    'Zwischen zwei Aufenthalten muss ein Gast nicht länger bleiben als die Lücke, und lässt keine Nacht dahinter übrig.',
  'last-minute-min-stay': 'Kürzere Aufenthalte sind willkommen, wenn eine Nacht näher rückt.',
  'wifi-answer': 'Beantwortet Fragen nach dem WLAN.',
  'parking-answer': 'Beantwortet Fragen nach dem Parken.',
  'read-and-noted':
    'Sagt, dass eine Nachricht gelesen wurde, wenn eine Viertelstunde lang niemand geantwortet hat; höchstens einmal am Tag.',
  'approve-requests': 'Nimmt Anfragen kleiner Gruppen für wenige Nächte an, eine Viertelstunde nachdem sie kamen.',
  'decline-one-night': 'Lehnt Anfragen für eine einzelne Nacht ab, die an einem fernen Tag beginnt.',
  'review-guests':
    'Bewertet Gäste drei Tage nach der Abreise; wer ein Schlagwort trägt oder noch etwas schuldet, wartet auf Sie.',
  'preapprove-inquiries': 'Gibt für Anfragen ab zwei Nächten eine Vorabzusage, solange die Nächte frei sind.',
  'offer-for-a-week': 'Bietet eine Woche oder mehr für zehn Prozent weniger an, als der Kalender sagt.',
  'low-score': 'Lässt jemanden nachsehen, wenn ein Gast weniger als 4 gibt, einmal für jede Bewertung.',
  'overdue-task': 'Meldet dem Team jede Aufgabe, deren Tag vorbei ist und die nicht erledigt wurde.',
  'large-party': 'Ab acht Gästen empfängt sie jemand, das Gespräch sagt es, und das Team bekommt einen Hinweis.',
  'new-booking': 'Meldet einem Programm wie n8n oder Node-RED jede Buchung.',
  'upset-guest': 'Ruft einen Menschen, wenn ein Gast unzufrieden klingt.',
  'morning-digest': 'Wie der Tag aussieht, jeden Morgen.',
};
