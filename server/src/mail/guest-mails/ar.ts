import type { GuestMails } from '../guest-mail-data.ts';

export const ar: GuestMails = {
  confirm_guest_email: ({ location, link, hours }) => ({
    subject: `أكّد بريدك الإلكتروني لشبكة Wi-Fi في ${location}`,
    heading: 'أكّد بريدك الإلكتروني',
    paragraphs: [
      `لقد أدخلت هذا العنوان لشبكة Wi-Fi للضيوف في ${location}. أكّد أنه عنوانك لتتمكن من مواصلة استخدام الشبكة. مدة صلاحية الرابط بالساعات: ${hours}.`,
    ],
    button: { label: 'تأكيد عنواني', link },
    note: 'إذا لم تطلب ذلك فتجاهل هذه الرسالة: لن يحدث شيء دون فتح الرابط.',
  }),
  purchase_receipt: it => ({
    subject: `إيصال شبكة Wi-Fi في ${it.location}`,
    heading: 'شكرًا لشرائك',
    paragraphs: [
      `${it.package}. عدد الأيام: ${it.days}. المبلغ: ${it.amount}.`,
      ...(it.tax ? [`يشمل المبلغ ضريبة قدرها ${it.tax} (${it.rate}).`] : []),
      'استخدم هذا الرمز لتوصيل جهاز آخر أو الجهاز نفسه لاحقًا: في صفحة تسجيل الدخول إلى الشبكة اختر «استعادة عملية الشراء».',
    ],
    ...(it.code && { code: it.code }),
    note: `عملية الشراء ${it.order}. لا تشارك الرمز مع أحد: من يملكه يمكنه استخدام اتصالك.`,
  }),
  own_data: ({ location, link, days }) => ({
    subject: `بياناتك لدى ${location}`,
    heading: 'ما نحتفظ به عنك',
    paragraphs: [
      `يمكنك هنا الاطلاع على ما تحتفظ به شبكة Wi-Fi للضيوف في ${location} عنك، وطلب حذفه. مدة صلاحية الرابط بالأيام: ${days}. لا تشارك الرابط مع أحد.`,
    ],
    button: { label: 'عرض بياناتي', link },
    note: 'وصلتك هذه الرسالة لأنها طُلبت من جلسة Wi-Fi الخاصة بك.',
  }),
};
