/** Answers that guests of the demo's venues have written, with the language in which they read the portal. */
export const sampleComments = {
  'Mavi Koy': [
    ['tr', 'Personel çok ilgili, teşekkürler.'],
    ['de', 'Das Frühstück ist großartig, der Kaffee könnte stärker sein.'],
    ['en', 'Lovely staff. A little more shade at the pool, please.'],
    ['tr', 'Havuz havluları akşam daha geç toplanabilir.'],
    ['ru', 'Хотелось бы больше рыбы на ужин.'],
    ['en', 'A kettle in the room would be great.'],
    ['tr', 'Odaya servis biraz yavaştı.'],
    ['de', 'Wir kommen nächstes Jahr wieder!'],
  ],
  'Kafe Çınar': [
    ['tr', 'Yulaf sütü olsa harika olur.'],
    ['tr', 'Cam kenarındaki masalara priz gerek.'],
    ['en', 'The best simit in Kadıköy.'],
    ['tr', 'Salı cazı çok güzel ama yer bulmak zor.'],
    ['de', 'Sehr gemütlich, gern wieder.'],
  ],
  'Şehir Hastanesi': [
    ['tr', 'Poliklinik katındaki tabelalar daha büyük olabilir.'],
    ['tr', 'Danışmadaki arkadaş çok yardımcı oldu.'],
    ['en', 'A map at the car park would help.'],
    ['ar', 'شكرًا لموظفي الاستقبال على المساعدة.'],
    ['tr', 'Asansörler çok yoğun.'],
  ],
} as const satisfies Record<string, readonly (readonly ['tr' | 'en' | 'de' | 'ru' | 'ar', string])[]>;

/** How many of twenty guests choose each face, from the worst, and each number from 0 to 10. */
export const faceShares = [1, 1, 3, 8, 7];
export const scaleShares = [0, 0, 0, 1, 0, 1, 1, 3, 4, 5, 5];
