/** Names for the sample guests. */
export const people = [
  'Ayşe Yılmaz', 'Mehmet Kaya', 'Elif Demir', 'Mustafa Çelik', 'Zeynep Şahin', 'Emre Yıldız', 'Fatma Öztürk', 'Can Aydın',
  'Merve Arslan', 'Burak Doğan', 'Selin Kılıç', 'Ömer Çetin', 'Deniz Kara', 'Hakan Koç', 'Ceren Kurt', 'Onur Özdemir',
  'Anna Schmidt', 'Lukas Weber', 'Olga Ivanova', 'Dmitri Petrov', 'John Miller', 'Emily Brown', 'Omar Al Farsi', 'Layla Hassan',
  'Gizem Polat', 'Kerem Aksoy', 'Buse Güneş', 'Tolga Erdoğan', 'İrem Yalçın', 'Sinan Bulut', 'Nazlı Taş', 'Kaan Acar',
  'Sophie Martin', 'Pierre Durand', 'Marta Kowalska', 'Jan Novák', 'Derya Uçar', 'Volkan Şimşek', 'Pınar Aktaş', 'Umut Korkmaz',
];
